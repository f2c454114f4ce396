use super::*;
use ringwood_base::ErrorKind;

#[test]
fn addresses_are_read_as_they_are_written() {
    for text in ["unix:/tmp/group", "tcp:127.0.0.1:0", "tcp:[::1]:4000"] {
        assert_eq!(Address::parse(text).unwrap().to_string(), text);
    }
    for text in ["", "unix:", "tcp:4000", "udp:1.2.3.4:5", "/tmp/group"] {
        assert_eq!(Address::parse(text).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn a_socket_that_is_connected_with_itself_is_no_connection() {
    let end = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    let local = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    rustix::net::bind(&end, &local).unwrap();
    let end = TcpStream::from(end);
    connect(&end, &end.local_addr().unwrap()).unwrap();
    assert_eq!(tcp(end).err().unwrap().kind(), io::ErrorKind::ConnectionRefused);
}

#[test]
fn a_write_to_a_peer_that_is_gone_is_an_error_also_where_signals_of_pipes_end_the_process() {
    // SAFETY: the default action has no handler; this process writes to no other peer that may be gone without saying that
    // it wants no signal.
    let before = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    assert_eq!(before, libc::SIG_IGN, "what Rust's `main` sets");
    let (here, there) = UnixStream::pair().unwrap();
    drop(there);
    let written = unix(here).unwrap().write(&[IoSlice::new(&[1])]);
    // SAFETY: as above.
    unsafe { libc::signal(libc::SIGPIPE, before) };
    assert_eq!(written.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}
