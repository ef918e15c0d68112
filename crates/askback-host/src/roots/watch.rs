//! Looking again, for as long as a server is there.

use std::sync::Arc;
use std::time::Duration;

use super::{Looked, RootKeeper};

/// How often folders are looked at.
const PACE: Duration = Duration::from_secs(1);

/// Tells each time that something has changed, until nobody listens. `last` is what was seen before.
pub(crate) async fn watch(
    keeper: Arc<RootKeeper>,
    server: String,
    source: String,
    mut last: Looked,
    tell: impl Fn(Looked) -> bool + Send + 'static,
) {
    loop {
        tokio::time::sleep(PACE).await;
        let (keeper, name, line) = (Arc::clone(&keeper), server.clone(), source.clone());
        // A folder on a network that is gone may block for long; the run does not wait for that.
        let looked = tokio::task::spawn_blocking(move || keeper.look(&name, &line)).await;
        let Ok(looked) = looked else { return };
        if last == looked {
            continue;
        }
        if !tell(looked.clone()) {
            return;
        }
        last = looked;
    }
}
