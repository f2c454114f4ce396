//! Random kernels: they pass the checker, survive the codec, print, and run without a panic.

#[path = "random/generator.rs"]
mod generator;

use generator::{Generator, MEMORY, VIEWS};
use ringwood_ir::interpret::{Argument, Refusal, grid};
use ringwood_ir::print::{Dialect, Facts, Options, print};
use ringwood_ir::{Type, Value, check, decode, encode};

#[test]
fn random_kernels_pass_every_tool() {
    let (mut ended, mut faults) = (0, 0);
    for seed in 0..3000 {
        let kernel = Generator::kernel(seed, &VIEWS);
        check(&kernel).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
        let text = encode(&kernel);
        assert_eq!(decode(&text).unwrap(), kernel, "{text}");
        for dialect in Dialect::ALL.iter().filter(|_| seed < 300) {
            let printed = print(&kernel, dialect, &Facts::default(), &Options::default());
            assert_eq!(printed.source.matches('{').count(), printed.source.matches('}').count());
        }
        let elements = |ty| vec![Value::from(7).cast(ty); 5];
        let view = |(ty, rank): (Type, u8)| Argument::View {
            elements: elements(ty),
            offset: 1,
            shape: vec![2; rank.into()],
            strides: vec![1; rank.into()],
        };
        let slices = MEMORY.map(|ty| Argument::Slice(elements(ty)));
        let mut args: Vec<_> = slices.into_iter().chain(VIEWS.map(view)).collect();
        match grid(&kernel, &[1], &mut args, 300) {
            Ok(fault) => {
                ended += 1;
                faults += usize::from(fault.is_some());
            }
            Err(refusal) => assert_eq!(refusal, Refusal::Steps, "{kernel}"),
        }
        for (arg, ty) in args.iter().zip(MEMORY.into_iter().chain(VIEWS.map(|(ty, _)| ty))) {
            let (Argument::Slice(values) | Argument::View { elements: values, .. }) = arg else {
                panic!("{arg:?} is no slice and no view");
            };
            assert!(values.len() == 5 && values.iter().all(|v| v.ty() == ty), "{kernel}");
        }
    }
    assert!(ended > 1000 && faults > 100, "{ended} ended, {faults} of them out of bounds");
}
