use super::*;
use futures_util::FutureExt;
use futures_util::future::join_all;
use std::io::Cursor;

/// PNG of this many bytes.
fn png(length: usize) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image::RgbImage::new(4, 4).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let mut bytes = bytes.into_inner();
    bytes.resize(length, 0);
    bytes
}

#[tokio::test]
async fn a_visitor_makes_one_picture_at_a_time_and_that_of_its_neighbour_comes_before_its_next() {
    let pictures = Pictures::new(None, None);
    let measure = |visitor: &str| {
        let visitor = Some(visitor.parse().unwrap());
        Box::pin(visitors::with(visitor, pictures.measure(png(1024))))
    };
    let first = measure("192.0.2.66").await.unwrap();
    let mut second = measure("192.0.2.66");
    assert!((&mut second).now_or_never().is_none());
    let neighbour = measure("192.0.2.7").await.unwrap();
    let mut turns = pictures.turns.clone().acquire_many_owned(2).await.unwrap();
    let mut first = Box::pin(pictures.make(first));
    assert!((&mut first).now_or_never().is_none());
    let neighbour = pictures.make(neighbour);
    // One picture at a time from now on.
    drop(turns.split(1));
    let (first, neighbour) = futures_util::join!(first, neighbour);
    assert!(first.is_ok() && neighbour.is_ok());
    let second = second.await.unwrap();
    assert!(pictures.make(second).await.is_ok());
}

#[tokio::test]
async fn a_visitor_reads_no_size_of_a_picture_while_another_of_its_pictures_is_made() {
    let pictures = Pictures::new(None, None);
    let measure = |visitor: &str, bytes| {
        let visitor = Some(visitor.parse().unwrap());
        Box::pin(visitors::with(visitor, pictures.measure(bytes)))
    };
    let first = measure("192.0.2.66", png(1024)).await.unwrap();
    // Whatever is in it.
    let mut second = measure("192.0.2.66", vec![0]);
    assert!((&mut second).now_or_never().is_none());
    assert_eq!(measure("192.0.2.7", vec![0]).await.err(), Some(Unshown::Kind));
    assert!((&mut second).now_or_never().is_none());
    drop(first);
    assert_eq!(second.await.err(), Some(Unshown::Kind));
}

#[test]
fn the_size_of_a_picture_is_read_away_from_the_threads_that_serve_requests() {
    let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let (release, end) = std::sync::mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || end.recv().is_err());
        let pictures = Pictures::new(None, None);
        let mut measured = Box::pin(pictures.measure(png(1024)));
        assert!((&mut measured).now_or_never().is_none());
        drop(release);
        assert!(busy.await.unwrap());
        assert_eq!(measured.await.map(|measured| measured.pixels).ok(), Some(16));
    });
}

#[tokio::test]
async fn pictures_wait_for_their_turn_while_there_is_room_and_are_refused_when_there_is_none() {
    let pictures = Pictures::new(None, None);
    let turns = pictures.turns.clone().acquire_many_owned(2).await.unwrap();
    let mut measured = join_all((0..ROOM / 8).map(|_| pictures.measure(png(source::LONGEST)))).await;
    assert!(measured.iter().all(Result::is_ok));
    assert_eq!(pictures.measure(png(1024)).await.err(), Some(Unshown::Full));
    // A disconnected client frees its room for another.
    measured.pop();
    measured.push(pictures.measure(png(source::LONGEST)).await);
    let mut waiting: Vec<_> = measured.into_iter().map(|one| Box::pin(pictures.make(one.unwrap()))).collect();
    for one in &mut waiting {
        assert!(one.now_or_never().is_none());
    }
    drop(turns);
    assert!(join_all(waiting).await.iter().all(Result::is_ok));
}
