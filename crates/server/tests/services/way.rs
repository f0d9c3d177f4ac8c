//! TCP proxy to Redis that can be cut and restored.

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// TCP proxy in front of Redis.
pub struct Way {
    pub address: String,
    redis: String,
    open: Option<JoinHandle<()>>,
}

impl Way {
    pub async fn open(redis: &str, address: &str) -> Way {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let redis = redis.trim_start_matches("redis://").split('/').next().unwrap().to_owned();
        let to = redis.clone();
        let open = tokio::spawn(async move {
            let mut passing = tokio::task::JoinSet::new();
            while let Ok((mut here, _)) = listener.accept().await {
                let mut there = TcpStream::connect(&to).await.unwrap();
                passing.spawn(async move { drop(copy_bidirectional(&mut here, &mut there).await) });
            }
        });
        Way { address, redis, open: Some(open) }
    }

    /// Also closes open connections.
    pub async fn cut(&mut self) {
        let open = self.open.take().unwrap();
        open.abort();
        let _ = open.await;
    }

    pub async fn mend(&mut self) {
        *self = Way::open(&self.redis, &self.address).await;
    }
}
