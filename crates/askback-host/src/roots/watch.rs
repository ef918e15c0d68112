//! Looking again, for as long as a server is there.

use std::sync::Arc;
use std::time::Duration;

use super::{Looked, RootKeeper};

/// How often folders are looked at.
const PACE: Duration = Duration::from_secs(1);

/// Tells what is seen at first, and from then on each time that something has changed, until nobody listens.
pub(crate) async fn watch(
    keeper: Arc<RootKeeper>,
    server: String,
    source: String,
    tell: impl Fn(Looked) -> bool + Send + 'static,
) {
    let mut last = None;
    loop {
        let (keeper, name, line) = (Arc::clone(&keeper), server.clone(), source.clone());
        // A folder on a network that is gone may block for long; the run does not wait for that.
        let looked = tokio::task::spawn_blocking(move || keeper.look(&name, &line)).await;
        let Ok(looked) = looked else { return };
        if last.as_ref() != Some(&looked) {
            if !tell(looked.clone()) {
                return;
            }
            last = Some(looked);
        }
        tokio::time::sleep(PACE).await;
    }
}
