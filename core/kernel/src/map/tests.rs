use crate::{Fault, MapBody, Native, NativeArg, NativeLaunch, NativeSlice};
use ringwood_base::Shape;
use std::ptr::NonNull;

/// A function whose operands must not change places.
enum Twice {}

impl MapBody for Twice {
    type Inputs = (f32, f32);
    type Out = f32;

    fn element<const INLINE: bool>(_: &NativeLaunch<'_>, (a, b): (f32, f32)) -> f32 {
        2.0 * a - b
    }
}

/// Runs it over arrays, the result last; each argument is one of them from an element on.
fn run(arrays: &mut [Vec<f32>], args: [(usize, usize); 3], count: usize) {
    let slice = |(array, from): (usize, usize)| {
        let data = NonNull::from(&mut arrays[array][from..from + count]).cast();
        // SAFETY: the elements of an array that lives, of which nothing else is borrowed while it runs.
        NativeArg::Slice(unsafe { NativeSlice::new(data, count * 4, None) })
    };
    let args = args.map(slice);
    let fault = Fault::default();
    let launch = NativeLaunch::new(Shape::vector(count), &args, &fault);
    // SAFETY: two inputs and the result of `Twice`.
    unsafe { Native::map::<Twice>().run(&launch, 0..count).unwrap() };
}

#[test]
fn a_result_may_replace_either_operand_or_both() {
    for count in [1, 7, 255, 256, 257, 1000] {
        let a: Vec<f32> = (0..count + 1).map(|i| i as f32).collect();
        let b: Vec<f32> = (0..count + 1).map(|i| (i * i % 91) as f32).collect();
        let want: Vec<f32> = (0..count).map(|i| 2.0 * a[i] - b[i]).collect();
        for target in [2, 0, 1] {
            let mut arrays = [a.clone(), b.clone(), vec![0.0; count + 1]];
            run(&mut arrays, [(0, 0), (1, 0), (target, 0)], count);
            assert_eq!(arrays[target][..count], want, "array {target}, {count}");
        }
        let both: Vec<f32> = a[..count].to_vec();
        let mut arrays = [a.clone()];
        run(&mut arrays, [(0, 0); 3], count);
        assert_eq!(arrays[0][..count], both, "both operands, {count}");
    }
}
