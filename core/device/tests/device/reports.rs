//! What devices and streams say about themselves, and how transfers travel.

use crate::routines::{X, holding, run};
use crate::{LIMIT, bytes, device, fails, held, runtime, values};
use ringwood_device::device::{Context, Device, LaunchArg, Route, Target, launch};

fn routes(device: &Device) -> Vec<(Route, u64, u64)> {
    device.report().routes.iter().map(|r| (r.route, r.copies, r.bytes)).collect()
}

#[test]
fn a_transfer_takes_the_best_route_that_both_devices_can() {
    let runtime = runtime();
    let named = |name| runtime.device(name).unwrap();
    let table = [
        ("toy:0", "toy:0", Route::Local),
        ("toy:0", "toy:1", Route::Peer),
        ("toy:0", "shared:0", Route::Pinned),
        ("shared:0", "toy:0", Route::Pinned),
        ("shared:0", "shared:1", Route::Host),
    ];
    for (from, to, route) in table {
        let (from, to) = (named(from), named(to));
        assert_eq!(Route::between(&from, &to), route, "{from} to {to}");
        let (source, target) = (holding(&from, 3.0), holding(&to, 0.0));
        let before = routes(&to);
        run(&target.transfer_from(&source, X, Target::Node).unwrap().unwrap());
        run(&target.transfer_from(&source, X, Target::MergeSlot).unwrap().unwrap());
        let mut x = to.tensor(&[0.0_f32; 4]).unwrap();
        x.copy_from(&source.tensor(X).unwrap()).unwrap();
        assert_eq!(values(&x), [3.0; 4]);
        let count = |routes: &[(Route, u64, u64)]| {
            let known = routes.iter().find(|(r, ..)| *r == route);
            known.map_or((0, 0), |&(_, copies, bytes)| (copies, bytes))
        };
        let ((copies, bytes), after) = (count(&before), routes(&to));
        assert_eq!(count(&after), (copies + 3, bytes + 48), "{from} to {to}");
    }
}

#[test]
fn a_transfer_through_the_host_reads_on_the_stream_of_its_source() {
    let runtime = runtime();
    let (toy, shared) = (runtime.device("toy:0").unwrap(), runtime.device("shared:0").unwrap());
    let source = Context::new(&toy.new_stream("").unwrap());
    let source = source.with(X, &toy.tensor(&[3.0_f32; 4]).unwrap()).unwrap();
    toy.synchronize(LIMIT).unwrap();
    let mut broken = toy.tensor(&[1.0_f32; 4]).unwrap();
    launch(&crate::kernels::FAIL, &[LaunchArg::Write(&mut broken)]).unwrap();
    fails(toy.stream().unwrap().synchronize(LIMIT), "on purpose");
    let target = holding(&shared, 0.0);
    for to in [Target::MergeSlot, Target::Node] {
        run(&target.transfer_from(&source, X, to).unwrap().unwrap());
    }
    assert_eq!(values(&target.tensor(X).unwrap()), [3.0; 4]);
}

#[test]
fn a_streamed_merge_takes_no_route() {
    let device = device("toy:0");
    let (source, target) = (holding(&device, 3.0), holding(&device, 0.0));
    run(&target.transfer_from(&source, X, Target::Streamed).unwrap().unwrap());
    assert_eq!(routes(&device), []);
}

#[test]
fn a_report_says_what_every_stream_is_doing() {
    let device = device("toy:0");
    let x = device.tensor(&[1.0_f32; 4]).unwrap();
    let (slow, gate) = held(&device);
    slow.write(bytes(2.0), x.region()).unwrap();
    let mut broken = device.tensor(&[1.0_f32; 4]).unwrap();
    device.stream().unwrap().synchronize(LIMIT).unwrap();
    let third = device.new_stream("free").unwrap();
    third.scope(|| launch(&crate::kernels::FAIL, &[LaunchArg::Write(&mut broken)])).unwrap();
    fails(third.synchronize(LIMIT), "on purpose");
    let report = device.report();
    let streams: Vec<_> =
        report.streams.iter().map(|s| (s.id.0, s.submitted, s.done, s.idle)).collect();
    assert_eq!(streams, [(0, 2, 2, true), (1, 1, 0, false), (2, 1, 0, true)]);
    assert_eq!((report.kernels, report.memory.in_use), (1, 32));
    let text = report.to_string();
    for line in [
        "toy:0: toy 0\n  32 bytes in use of 1048576 (at most 32), 0 pieces wait for their last use\n  0 of",
        "  1 kernels compiled",
        "  stream 0 (free): 2 of 2 submissions known to be done, idle",
        "  stream 1 (gated:",
        "0 of 1 submissions known to be done, busy",
        "  stream 2 (free): 0 of 1 submissions known to be done, failed: on purpose",
    ] {
        assert!(text.contains(line), "no `{line}` in {text}");
    }
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["streams"][2]["kind"], "free");
    gate.open();
    slow.synchronize(LIMIT).unwrap();
}
