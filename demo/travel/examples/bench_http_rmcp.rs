//! The client of `rmcp` beside Askback's, for `cargo xtask bench http`.
//!
//! `bench_http_rmcp SESSIONS COUNT VERSION URL URI` prints how many microseconds a read took, over all sessions together.

use std::time::Instant;

use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction, Implementation,
    ProtocolVersion, ReadResourceRequestParams,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RequestContext, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{ClientHandler, ErrorData, RoleClient};

/// Fills in every form with nothing.
struct Agreeable;

impl ClientHandler for Agreeable {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("rmcp", "1"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(serde_json::json!({})))
    }
}

type Session = RunningService<RoleClient, Agreeable>;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [sessions, count, version, url, uri] = &args[..] else {
        eprintln!("bench_http_rmcp SESSIONS COUNT VERSION URL URI");
        std::process::exit(2);
    };
    let (sessions, count): (u32, u32) =
        (sessions.parse().expect("SESSIONS is a number"), count.parse().expect("COUNT is a number"));
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("there is a runtime");
    runtime.block_on(async {
        let mut running = Vec::new();
        for _ in 0..sessions {
            let transport = StreamableHttpClientTransport::from_uri(url.as_str());
            let lifecycle = match version.as_str() {
                "2026-07-28" => {
                    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
                }
                _ => ClientLifecycleMode::Initialize,
            };
            running.push(Agreeable.serve_with_lifecycle(transport, lifecycle).await.expect("the server connects"));
        }
        let running = read_all(running, uri, 20).await;
        let began = Instant::now();
        let running = read_all(running, uri, count).await;
        println!("{}", began.elapsed().as_micros() as f64 / f64::from(count * sessions));
        drop(running);
    });
}

async fn read_all(running: Vec<Session>, uri: &str, count: u32) -> Vec<Session> {
    let sessions: Vec<_> = running
        .into_iter()
        .map(|session| {
            let uri = uri.to_owned();
            tokio::spawn(async move {
                for _ in 0..count {
                    let params = ReadResourceRequestParams::new(uri.clone());
                    session.read_resource(params).await.expect("the read succeeds");
                }
                session
            })
        })
        .collect();
    let mut running = Vec::new();
    for session in sessions {
        running.push(session.await.expect("the reads succeed"));
    }
    running
}
