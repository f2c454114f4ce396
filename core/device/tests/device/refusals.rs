//! What is refused across devices and run times, and what becomes of dead streams and devices.

use crate::kernels::{ADD, FAIL};
use crate::routines::{X, Y, append, at, holding, root, sum};
use crate::toy::Toy;
use crate::{LIMIT, bytes, device, fails, held, runtime, values};
use ringwood_base::{DType, ErrorKind, Result, Shape};
use ringwood_device::backend::Region;
use ringwood_device::device::{
    Bindings, Context, Device, LaunchArg, Stream, Target, Tensor, launch,
};
use std::time::{Duration, Instant};

fn zeros(device: &Device) -> Tensor {
    device.zeros(Shape::vector(4), DType::F32).unwrap()
}

#[test]
fn a_backend_refuses_the_handles_of_another_one() {
    let runtime = runtime();
    let (toy, shared) = (runtime.device("toy:0").unwrap(), runtime.device("shared:0").unwrap());
    let (ours, theirs) = (toy.backend(), shared.backend());
    let handle = theirs.devices().unwrap().remove(0);
    let memory = theirs.allocate(&handle, 16).unwrap();
    let stream = theirs.stream(&handle, "free").unwrap();
    let event = theirs.record(&stream).unwrap();
    let own = ours.stream(&ours.devices().unwrap()[0], "free").unwrap();
    let region = Region { memory: &memory, offset: 0, bytes: 16 };
    let refused = |result: Result<()>, what: &str| {
        let needle = format!("backend `toy` was given a {what} of backend `shared`");
        assert_eq!(fails(result, &needle).kind(), ErrorKind::Device);
    };
    refused(ours.allocate(&handle, 16).map(drop), "device");
    refused(ours.fill(&stream, region, 0), "stream");
    refused(ours.fill(&own, region, 0), "memory");
    refused(ours.copy(&own, region, region), "memory");
    refused(ours.host_address(&memory).map(drop), "memory");
    refused(ours.wait(&own, &event), "event");
    refused(ours.block(&event, LIMIT), "event");
    let again = theirs.record(&stream).unwrap();
    theirs.block(&again, LIMIT).unwrap();
    let confused = fails(ours.fill(&own, Region { memory: &own, offset: 0, bytes: 0 }, 0), "kind");
    assert_eq!(confused.kind(), ErrorKind::Device);
}

#[test]
fn a_stream_refuses_buffers_of_other_devices_and_run_times() {
    let runtime = runtime();
    let here = runtime.device("toy:0").unwrap();
    let (stream, own) = (here.stream().unwrap(), zeros(&here));
    let others = [
        (runtime.device("toy:1").unwrap(), "toy:1"),
        (runtime.device("shared:0").unwrap(), "shared:0"),
        (device("toy:0"), "toy:0 of another run time"),
    ];
    for (there, name) in others {
        let foreign = zeros(&there);
        let needle = format!("a buffer of {name} was given to a stream of toy:0");
        for refused in [
            stream.fill(foreign.region(), 0),
            stream.write(bytes(1.0), foreign.region()),
            stream.read(foreign.region(), Box::new(|_| {})),
            stream.copy(own.region(), foreign.region()),
        ] {
            assert_eq!(fails(refused, &needle).kind(), ErrorKind::Device);
        }
        let mut out = own.clone();
        let args = [LaunchArg::Read(&own), LaunchArg::Read(&foreign), LaunchArg::Write(&mut out)];
        fails(launch(&ADD, &args), &format!("`add` got tensors on toy:0 and on {name}"));
        let needle = format!("node n0 is on {name}, the context is on toy:0");
        fails(root(&here).with(X, &foreign), &needle);
        let needle = format!("is compiled for {name}, the context is on toy:0");
        fails(root(&here).link(&there.compile(append()).unwrap()), &needle);
        let needle = format!("a stream of {name} cannot be the default stream of toy:0");
        fails(here.set_stream(&there.stream().unwrap()), &needle);
        // Moving the elements is what helps.
        assert_eq!(values(&foreign.to_device(&here).unwrap()), [0.0; 4]);
    }
    stream.synchronize(LIMIT).unwrap();
    assert!(stream.failure().is_none(), "a refusal does not fail the stream");
}

#[test]
fn events_of_a_dead_stream_keep_their_answer() {
    let device = device("toy:0");
    // Dropped with work under way: the work is done all the same.
    let x = zeros(&device);
    device.synchronize(LIMIT).unwrap();
    let (stream, gate) = held(&device);
    stream.write(bytes(3.0), x.region()).unwrap();
    let completion = stream.record();
    drop(stream);
    assert!(!completion.is_done());
    gate.open();
    completion.wait(LIMIT).unwrap();
    drop(completion);
    assert_eq!(values(&x), [3.0; 4]);
    // Failed: every observer gets the first failure, each time, also of work that was never begun.
    let stream = device.new_stream("").unwrap();
    let before = stream.record();
    let mut y = zeros(&device);
    stream.scope(|| launch(&FAIL, &[LaunchArg::Write(&mut y)])).unwrap();
    let failed = stream.record();
    fails(failed.wait(LIMIT), "on purpose");
    fails(stream.fill(x.region(), 0), "on purpose");
    let after = stream.record();
    drop(stream);
    before.wait(LIMIT).unwrap();
    for _ in 0..3 {
        for completion in [&failed, &after, &failed.clone()] {
            fails(completion.wait(LIMIT), "on purpose");
            assert!(completion.is_done());
        }
    }
    assert_eq!(values(&x), [3.0; 4], "what did not need the failed work is as it was");
    fails(y.to_vec::<f32>(), "on purpose");
}

/// A device with work under way that vanishes.
struct Gone {
    device: Device,
    stream: Stream,
    x: Tensor,
    context: Context,
}

fn gone() -> Gone {
    let device = device("toy:0");
    let (context, x) = (holding(&device, 1.0), zeros(&device));
    device.synchronize(LIMIT).unwrap();
    let (stream, gate) = held(&device);
    stream.write(bytes(2.0), x.region()).unwrap();
    let error = fails(device.new_stream("last"), "toy: the device has vanished (device: toy:0)");
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    gate.open();
    Gone { device, stream, x, context }
}

#[test]
fn a_device_that_vanishes_fails_everything_that_uses_it_in_time() {
    let Gone { device, stream, x, context } = gone();
    let start = Instant::now();
    let vanished = |result: Result<()>| {
        let error = fails(result, "toy: the device has vanished");
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    };
    vanished(device.synchronize(LIMIT));
    vanished(stream.record().wait(LIMIT));
    vanished(stream.synchronize(LIMIT));
    vanished(stream.fill(x.region(), 0));
    vanished(x.to_vec::<f32>().map(drop));
    vanished(x.clone().write(&[1.0_f32; 4]));
    vanished(device.tensor(&[1.0_f32]).map(drop));
    vanished(device.new_stream("").map(drop));
    vanished(device.compile(sum()).map(drop));
    let upload = context.from_host(X, bytes(1.0)).unwrap().unwrap();
    vanished(upload.submit(&Bindings::new()).and_then(|done| done.wait(LIMIT)));
    fails(device.buffer(17), "(device: toy:0,");
    let report = device.report();
    assert!(report.to_string().contains("failed: toy: the device has vanished"), "{report}");
    drop((stream, x, context, upload));
    assert_eq!(device.memory_in_use(), 0, "the accounts stay right");
    drop(device);
    assert!(start.elapsed() < Duration::from_secs(10), "nothing waits for it");
}

#[test]
fn other_devices_go_on_when_one_vanishes() {
    let runtime = runtime();
    let (dying, other) = (runtime.device("toy:0").unwrap(), runtime.device("toy:1").unwrap());
    let (lost, kept) = (holding(&dying, 1.0), holding(&other, 2.0));
    dying.synchronize(LIMIT).unwrap();
    fails(dying.new_stream("last"), "vanished");
    assert_eq!(at(&kept, X), [2.0; 4]);
    let moved = kept.transfer_from(&lost, X, Target::Node).unwrap().unwrap();
    // A peer copy runs on the stream of its target.
    moved.submit(&Bindings::new()).unwrap().wait(LIMIT).unwrap();
    let shared = runtime.device("shared:0").unwrap();
    let staged = holding(&shared, 0.0).transfer_from(&lost, X, Target::Node).unwrap().unwrap();
    fails(staged.submit(&Bindings::new()), "vanished");
    assert_eq!(values(&shared.tensor(&[4.0_f32; 4]).unwrap()), [4.0; 4]);
    assert!(lost.contains(X) && !lost.contains(Y));
}

#[test]
fn a_library_gets_the_handles_of_its_backend_and_of_no_other() {
    let device = runtime().device("toy:0").unwrap();
    let stream = device.new_stream("free").unwrap();
    let [x, y] = [0, 1].map(|_| zeros(&device));
    let mut got = None;
    let work = |_: &_, [source, target]: [Region<'_, _>; 2]| {
        got = Some((source.bytes, target.bytes, std::ptr::eq(source.memory, target.memory)));
        Ok(())
    };
    stream.submit_native::<Toy<false>>(x.region(), y.region(), work).unwrap();
    assert_eq!(got, Some((16, 16, x.buffer().id().pool == y.buffer().id().pool)));
    let other = stream.submit_native::<Toy<true>>(x.region(), y.region(), |_, _| panic!("runs"));
    let needle = "backend `shared` was given a stream of backend `toy`";
    assert_eq!(fails(other, needle).kind(), ErrorKind::Device);
    assert!(device.native::<Toy<false>>().is_ok());
    assert_eq!(device.native::<Toy<true>>().err().unwrap().kind(), ErrorKind::Device);
    let broken = |_: &_, _: [Region<'_, _>; 2]| panic!("the library is on fire");
    let broken = stream.submit_native::<Toy<false>>(x.region(), x.region(), broken);
    assert_eq!(fails(broken, "the library is on fire").kind(), ErrorKind::Panic);
    x.to_vec::<f32>().unwrap();
}
