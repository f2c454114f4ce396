#![no_main]

use ringwood_session::remote::{Order, Packet, Report};

// A frame as it is, and a body in a frame: no search finds a checksum. The file that may come along has the same bytes.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(any) = Packet::of(&Order::Ping(0)) else { return };
    let framed = |brings: u8| {
        let mut packet = Packet::new([&any.bytes[..3], &[brings]].concat());
        packet.bytes.extend((bytes.len() as u32).to_le_bytes());
        packet.bytes.extend(crc32fast::hash(bytes).to_le_bytes());
        packet.bytes.extend(bytes);
        packet.parts.push(bytes.to_vec().into());
        packet
    };
    for packet in [framed(0), framed(1), Packet::new(bytes.to_vec())] {
        let _ = packet.clone().read::<Order>().map(|order| Packet::of(&order));
        let _ = packet.read::<Report>().map(|report| Packet::of(&report));
    }
});
