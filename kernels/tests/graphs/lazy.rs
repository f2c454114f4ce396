//! Lazy tensors: recorded, at once, differentiated; memory that results take over.

use ringwood_base::{DType, ErrorKind, Result};
use ringwood_graph::engine::{Alone, with_engine};
use ringwood_graph::lazy::{
    Lazy, Static, Tensors, grad, jit, recompute, value_and_grad, with_default_device,
};
use ringwood_kernels::lazy::Operations;
use std::cell::RefCell;
use std::rc::Rc;

ringwood_graph::register_operator! {
    /// An operator of a user, without a gradient.
    pub Rectified = "rectified";
    shape: "... -> ...",
    kernels: [ringwood_kernels::pointwise::relu],
}

fn matrix(rows: usize, columns: usize) -> Lazy {
    let elements = (0..rows * columns).map(|i| (i as f32 * 0.7).sin());
    Lazy::new(&[rows, columns], &elements.collect::<Vec<_>>())
}

pub(crate) fn bits(x: &Lazy) -> Vec<u8> {
    x.to_bytes().unwrap()
}

/// A layer of weights and biases, and its loss.
fn loss((w, b): &(Lazy, Lazy), x: &Lazy, labels: &Lazy) -> Lazy {
    (x.matmul(w) + b).cross_entropy(labels).mean_all()
}

#[test]
fn a_tensor_that_no_memory_holds_is_an_error() {
    for large in [Lazy::full(&[1 << 45], 1.0_f32), Lazy::zeros(DType::F32, &[1 << 45])] {
        assert_eq!(large.error().expect("an error").kind(), ErrorKind::OutOfMemory, "{large:?}");
    }
}

type Step = (Lazy, Lazy);

fn step((model, x, labels, rate): (Step, Lazy, Lazy, Lazy)) -> (Step, Lazy) {
    let (loss, gradient) = value_and_grad(&model, |model| loss(model, &x, &labels));
    let (w, b) = model;
    ((w - &rate * gradient.0, b - &rate * gradient.1), loss)
}

/// A batch of a size that no other test has, whose plan would be used beside this one's.
fn batch(n: usize) -> (Lazy, Lazy) {
    let labels: Vec<_> = (0..n as i32).map(|i| i % 3).collect();
    (matrix(n, 4), Lazy::new(&[n], &labels))
}

#[test]
fn a_step_is_recorded_once_and_runs_as_its_operations_do() {
    let (x, labels) = batch(6);
    let compiled = jit(step);
    let (mut model, mut eager) =
        [(); 2].map(|()| (matrix(4, 3), Lazy::zeros(DType::F32, &[3]))).into();
    let mut losses = Vec::new();
    for i in 0..20 {
        let rate = Lazy::scalar(0.5 / (1.0 + i as f32));
        let loss;
        (model, loss) = compiled.call((model, x.clone(), labels.clone(), rate.clone())).unwrap();
        let (next, other) = step((eager, x.clone(), labels.clone(), rate));
        eager = next;
        assert_eq!(bits(&loss), bits(&other), "step {i}");
        losses.push(loss);
    }
    assert_eq!((bits(&model.0), bits(&model.1)), (bits(&eager.0), bits(&eager.1)));
    let losses: Vec<f32> = losses.iter().map(|loss| loss.item().unwrap()).collect();
    assert!(
        losses[19] < losses[0] && losses.windows(2).all(|pair| pair[0] != pair[1]),
        "{losses:?}"
    );
    let stats = compiled.stats();
    assert_eq!((stats.traces, stats.compiles, stats.calls), (1, 1, 20));
    assert_eq!(stats.not_donated, [""; 0]);
}

#[test]
fn what_is_passed_on_is_not_copied() {
    let (x, labels) = batch(7);
    let rate = Lazy::scalar(0.1_f32);
    let compiled = jit(step);
    let mut model = (matrix(4, 3), Lazy::zeros(DType::F32, &[3]));
    let mut seen = Vec::new();
    for _ in 0..4 {
        model = compiled.call((model, x.clone(), labels.clone(), rate.clone())).unwrap().0;
        let stats = compiled.stats();
        seen.push((stats.given_bytes, stats.left_bytes));
    }
    // Everything once, and then nothing.
    let once = (4 * 3 + 3 + 7 * 4 + 7 + 1) * 4;
    assert_eq!(seen, [(once, 0); 4]);
}

#[test]
fn a_value_that_is_kept_never_changes() {
    let (x, labels) = batch(8);
    let rate = Lazy::scalar(0.1_f32);
    let compiled = jit(step);
    let mut model = (matrix(4, 3), Lazy::zeros(DType::F32, &[3]));
    let mut kept = vec![(model.clone(), bits(&model.0))];
    for _ in 0..5 {
        model = compiled.call((model, x.clone(), labels.clone(), rate.clone())).unwrap().0;
        kept.push((model.clone(), bits(&model.0)));
    }
    for (i, (model, before)) in kept.iter().enumerate() {
        assert_eq!(&bits(&model.0), before, "the model after {i} steps");
        assert!(i == 0 || kept[i - 1].1 != *before);
    }
    let stats = compiled.stats();
    assert_eq!(stats.not_donated, ["0.0", "0.1"]);
    assert_eq!(stats.left_bytes, 4 * (4 * 3 + 3) * 4);
}

#[test]
fn what_comes_back_as_it_is_counts_as_donated() {
    let step = jit(|(w, x): (Lazy, Lazy)| (w, x + 1.0));
    let mut state = (matrix(2, 5), matrix(5, 2));
    for _ in 0..3 {
        state = step.call(state).unwrap();
    }
    assert_eq!(step.stats().not_donated, [""; 0]);
    assert_eq!(step.stats().left_bytes, 0);
}

#[test]
fn models_that_take_turns_have_memory_each() {
    let (x, labels) = batch(11);
    let rate = Lazy::scalar(0.1_f32);
    let compiled = jit(step);
    let mut models = [0.0_f32, 0.5].map(|bias| Some((matrix(4, 3), Lazy::full(&[3], bias))));
    let mut eager = [0.0_f32, 0.5].map(|bias| (matrix(4, 3), Lazy::full(&[3], bias)));
    let mut seen = Vec::new();
    for turn in 0..6 {
        for (model, eager) in models.iter_mut().zip(&mut eager) {
            let own = model.take().unwrap();
            let next = compiled.call((own, x.clone(), labels.clone(), rate.clone())).unwrap().0;
            *eager = step((eager.clone(), x.clone(), labels.clone(), rate.clone())).0;
            assert_eq!((bits(&next.0), bits(&next.1)), (bits(&eager.0), bits(&eager.1)));
            *model = Some(next);
        }
        let stats = compiled.stats();
        seen.push((turn, stats.given_bytes + stats.left_bytes));
    }
    assert!(seen[2..].windows(2).all(|pair| pair[0].1 == pair[1].1), "{seen:?}");
    let stats = compiled.stats();
    assert_eq!((stats.compiles, stats.plans), (1, 2));
}

#[test]
fn results_may_come_back_in_other_places() {
    let swap = jit(|(a, b): (Lazy, Lazy)| (&a + 1.0, b + &a));
    let (mut a, mut b) = (Lazy::full(&[3], 1.0_f32), Lazy::full(&[3], 10.0_f32));
    let (mut x, mut y) = (1.0_f32, 10.0);
    for _ in 0..5 {
        (b, a) = swap.call((a, b)).unwrap();
        (y, x) = (x + 1.0, y + x);
        assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (vec![x; 3], vec![y; 3]));
    }
    let same = swap.call((a.clone(), a.clone())).unwrap();
    assert_eq!(
        (same.0.to_vec().unwrap(), same.1.to_vec().unwrap()),
        (vec![x + 1.0; 3], vec![2.0 * x; 3])
    );
    assert_eq!(a.to_vec::<f32>().unwrap(), [x; 3]);
}

#[test]
fn shapes_lists_and_configurations_are_recorded_apart() {
    let sum = jit(|(xs, Static(twice)): (Vec<Lazy>, Static<bool>)| {
        let sum = xs.iter().skip(1).fold(xs[0].clone(), |sum, x| sum + x);
        if twice { sum * 2.0 } else { sum }
    });
    let x = |n| Lazy::full(&[n], 3.0_f32);
    assert_eq!(
        sum.call((vec![x(2), x(2)], Static(false))).unwrap().to_vec::<f32>().unwrap(),
        [6.0; 2]
    );
    assert_eq!(
        sum.call((vec![x(5), x(5)], Static(false))).unwrap().to_vec::<f32>().unwrap(),
        [6.0; 5]
    );
    assert_eq!(sum.stats().last_miss.unwrap(), "0.0: [2] → [5]");
    assert_eq!(
        sum.call((vec![x(5), x(5)], Static(true))).unwrap().to_vec::<f32>().unwrap(),
        [12.0; 5]
    );
    let stats = sum.stats();
    assert_eq!(stats.last_miss.unwrap(), "another configuration");
    assert!(stats.warnings[0].contains("was recorded 3 times"), "{:?}", stats.warnings);
    assert_eq!(
        sum.call((vec![x(2); 3], Static(false))).unwrap().to_vec::<f32>().unwrap(),
        [9.0; 2]
    );
    assert_eq!(
        sum.call((vec![x(2), x(2)], Static(false))).unwrap().to_vec::<f32>().unwrap(),
        [6.0; 2]
    );
    assert_eq!((sum.stats().traces, sum.stats().calls), (4, 5));
}

#[track_caller]
fn fails<T: std::fmt::Debug>(result: Result<T>, kind: ErrorKind, words: &[&str]) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "{error} without {word}");
    }
}

#[test]
fn mistakes_name_their_line() {
    use ErrorKind::{DType as Type, InvalidArgument, Shape, Unsupported};
    let x = matrix(2, 3);
    let wrong = &x + matrix(2, 4);
    fails(wrong.to_vec::<f32>(), Shape, &["add", "tests/graphs/lazy.rs"]);
    let later = (wrong.clone() * 2.0).relu();
    assert_eq!(later.shape().unwrap_err().to_string(), wrong.error().unwrap().to_string());
    fails(jit(|x: Lazy| x).call(later), Shape, &["add"]);
    fails(x.matmul(&x).shape(), Shape, &["matmul", "tests/graphs/lazy.rs"]);
    fails(x.sum(2).shape(), Shape, &["axis 2", "tests/graphs/lazy.rs"]);
    fails((Lazy::new(&[1], &[1_i32]) * 0.5).shape(), Type, &["0.5", "i32"]);
    let none = matrix(2, 0);
    for picked in [none.max(1), none.min(-1), none.argmax(1), none.argmin(1)] {
        fails(picked.shape(), Shape, &["has no elements", "tests/graphs/lazy.rs"]);
    }
    let (few, row) = (Lazy::new(&[3, 2], &[0_i64; 6]), Lazy::new(&[1, 2], &[0_i64, 2]));
    fails(x.gather(1, &few).shape(), Shape, &["positions of [3, 2]", "tests/graphs/lazy.rs"]);
    assert_eq!(x.gather(1, &row).shape().unwrap()[..], [2, 2]);
    fails(row.one_hot(1 << 45, DType::F32).shape(), Unsupported, &["too large", "lazy.rs"]);
    // Inside of a trace.
    let outside = matrix(2, 3);
    fails(
        jit(|x: Lazy| x + &outside).call(x.clone()),
        InvalidArgument,
        &["pass it as an argument", "lazy.rs"],
    );
    fails(
        jit(|_: Lazy| outside.clone()).call(x.clone()),
        InvalidArgument,
        &["pass it as an argument"],
    );
    let read = jit(|x: Lazy| {
        let first = x.to_vec::<f32>()?[0];
        Ok::<_, ringwood_base::Error>(x * first)
    });
    fails(
        read.call(x.clone()),
        InvalidArgument,
        &["read inside of a trace", "tests/graphs/lazy.rs"],
    );
    let escaped = RefCell::new(None);
    let escape = jit(|x: Lazy| {
        *escaped.borrow_mut() = Some(&x + 1.0);
        x
    });
    escape.call(x.clone()).unwrap();
    let escaped = escaped.borrow().clone().unwrap();
    fails(escaped.to_vec::<f32>(), InvalidArgument, &["after the trace has ended", "lazy.rs"]);
    fails((escaped * 2.0).shape(), InvalidArgument, &["after the trace has ended"]);
    let elsewhere =
        |x: &Lazy| std::thread::scope(|threads| threads.spawn(|| x * 2.0).join().unwrap());
    let doubled = jit(|x: Lazy| elsewhere(&x)).call(x.clone()).unwrap();
    assert_eq!(bits(&doubled), bits(&(&x * 2.0)));
    fails(
        jit(|_: Lazy| -> Lazy { panic!("no idea") }).call(x.clone()),
        ErrorKind::Panic,
        &["no idea"],
    );
    let (two, three) = (vec![x.clone(); 2], vec![x.clone(); 3]);
    fails(
        two.zip(&three, |a, b| a + b)[0].shape(),
        Shape,
        &["2 tensors beside one of 3", "lazy.rs"],
    );
    // Gradients.
    let by_integer = grad(&Lazy::new(&[2], &[1_i32, 2]), Operations::sum_all);
    fails(by_integer.to_vec::<i32>(), Type, &["i32", "no derivatives"]);
    let missing = grad(&x, |x| Rectified::on(&[x], ()).sum_all());
    fails(
        missing.to_vec::<f32>(),
        Unsupported,
        &["rectified", "no gradient", "tests/graphs/lazy.rs"],
    );
    fails(grad(&x, |x| x * 2.0).shape(), Shape, &["one number"]);
    let (_, unused) = value_and_grad(&(x.clone(), x.clone()), |(x, _)| x.sum_all());
    fails(unused.1.shape(), InvalidArgument, &["does not depend on `1`"]);
    // Placeholders.
    let mut hole = Lazy::placeholder(DType::F32, &[2]);
    fails(hole.to_vec::<f32>(), InvalidArgument, &["placeholder", "assign"]);
    fails((&hole + 1.0).shape(), InvalidArgument, &["placeholder"]);
    fails(jit(|x: Lazy| x).call(hole.clone()), InvalidArgument, &["`argument` has no value"]);
    fails(hole.assign(&x), Shape, &["f32[2]", "f32[2, 3]"]);
    hole.assign(&Lazy::new(&[2], &[1.0_f32, 2.0])).unwrap();
    assert!(hole.has_value());
    assert_eq!((hole + 1.0).to_vec::<f32>().unwrap(), [2.0, 3.0]);
}

#[test]
fn a_nan_that_loses_has_no_gradient() {
    let (nan, one) = (Lazy::new(&[1], &[f32::NAN]), Lazy::new(&[1], &[1.0_f32]));
    for largest in [true, false] {
        let of = |a: &Lazy, b: &Lazy| {
            let (a, b) = grad(&(a.clone(), b.clone()), |(a, b)| {
                (if largest { a.maximum(b) } else { a.minimum(b) }).sum_all()
            });
            [a, b].map(|g| g.to_vec::<f32>().unwrap()[0])
        };
        assert_eq!([of(&nan, &one), of(&one, &nan)], [[0.0, 1.0], [1.0, 0.0]]);
        assert_eq!(of(&one, &one), [1.0, 0.0]);
    }
}

#[test]
fn a_gradient_counts_the_argument_alone() {
    let check = |x: &Lazy| {
        let outer = x * 1.0;
        // d/dv of v · x · outer, with x and outer constant.
        let gradient = grad(x, |v| (v * x * &outer).sum_all());
        // The second derivative of x³.
        let second = grad(x, |v| grad(v, |u| (u * u * u).sum_all()).sum_all());
        (gradient, second)
    };
    let x = Lazy::new(&[2], &[3.0_f32, 5.0]);
    for (gradient, second) in [check(&x), jit(|x: Lazy| check(&x)).call(x).unwrap()] {
        assert_eq!(gradient.to_vec::<f32>().unwrap(), [9.0, 25.0]);
        assert_eq!(second.to_vec::<f32>().unwrap(), [18.0, 30.0]);
    }
}

#[test]
fn a_block_that_is_computed_again_takes_less_memory_and_gives_the_same_bits() {
    let layers = |x: &Lazy, w: &Lazy| (0..6).fold(x.clone(), |x, _| x.matmul(w).tanh());
    let again = jit(|(w, x): (Lazy, Lazy)| {
        grad(&w, |w| {
            let half = recompute(|| layers(&x, w));
            recompute(|| layers(&half, w)).sum_all()
        })
    });
    let whole = jit(|(w, x): (Lazy, Lazy)| grad(&w, |w| layers(&layers(&x, w), w).sum_all()));
    let given = || (matrix(40, 40), matrix(500, 40));
    let [again_bits, whole_bits] =
        [again.call(given()), whole.call(given())].map(|g| bits(&g.unwrap()));
    assert_eq!(again_bits, whole_bits);
    let (less, more) = (again.stats().bytes, whole.stats().bytes);
    assert!(less * 4 < more * 3, "{less} bytes, not {more}");
}

#[test]
fn a_tensor_that_is_given_another_value_has_it_and_clones_keep_theirs() {
    let mut x = matrix(2, 3);
    let before = x.clone();
    x.assign(&(-matrix(2, 3))).unwrap();
    assert_eq!(x.to_vec::<f32>().unwrap()[1], -(0.7_f32.sin()));
    assert_eq!(before.to_vec::<f32>().unwrap()[1], 0.7_f32.sin());
}

#[test]
fn eight_threads_call_one_function() {
    let add = jit(|(total, x): (Lazy, Lazy)| (&total + &x, total.sum_all()));
    std::thread::scope(|threads| {
        for thread in 0..8 {
            let add = &add;
            threads.spawn(move || {
                let mut total = Lazy::zeros(DType::F32, &[64]);
                for i in 0..50_i32 {
                    let before;
                    (total, before) =
                        add.call((total, Lazy::full(&[64], (thread * i) as f32))).unwrap();
                    let want = (thread * (i * (i - 1) / 2) * 64) as f32;
                    assert_eq!(before.item::<f32>().unwrap(), want);
                }
            });
        }
    });
    let stats = add.stats();
    assert_eq!((stats.traces, stats.compiles, stats.calls), (1, 1, 400));
}

#[test]
fn numbers_made_in_a_function_are_where_its_arguments_are() {
    let labels = Lazy::new(&[3], &[2_i32, 0, 1]);
    let places = jit(|labels: Lazy| labels.one_hot(3, DType::F32));
    let want = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32];
    assert_eq!(labels.one_hot(3, DType::F32).to_vec::<f32>().unwrap(), want);
    assert_eq!(places.call(labels).unwrap().to_vec::<f32>().unwrap(), want);
}

#[test]
fn two_devices_in_one_operation_are_named() {
    let runtime = crate::support::runtime();
    let on = |name: &str| Lazy::of(runtime.device(name).unwrap().tensor(&[1.0_f32, 2.0]).unwrap());
    let (x, y) = (on("cpu:0"), on("twin:1"));
    let words = ["add", "cpu:0", "twin:1", "lazy.rs"];
    fails((&x + &y).shape(), ErrorKind::Device, &words);
    let both = jit(|(x, y): (Lazy, Lazy)| x + y);
    fails(both.call((x.clone(), y.clone())), ErrorKind::Device, &words);
    let moved = jit(|(x, y): (Lazy, Lazy)| {
        let device = x.device()?;
        Ok::<_, ringwood_base::Error>(
            x + y.to_device(&device) + Lazy::scalar(1.0_f32).to_device(&device),
        )
    });
    let sum = moved.call((x.clone(), y)).unwrap();
    assert_eq!(sum.device().unwrap(), x.device().unwrap());
    assert_eq!(sum.to_vec::<f32>().unwrap(), [3.0, 5.0]);
}

#[test]
fn a_gradient_comes_back_from_another_device() {
    let runtime = crate::support::runtime();
    let on = |name: &str| Lazy::of(runtime.device(name).unwrap().tensor(&[1.0_f32, 2.0]).unwrap());
    let (x, y) = (on("cpu:0"), on("twin:1"));
    let gradient = jit(|(x, y): (Lazy, Lazy)| {
        let other = y.device()?;
        Ok::<_, ringwood_base::Error>(grad(&x, |x| (x.to_device(&other) * &y).sum_all()))
    });
    let gradient = gradient.call((x.clone(), y.clone())).unwrap();
    assert_eq!(gradient.tensor().unwrap().device(), &x.device().unwrap());
    assert_eq!(gradient.to_vec::<f32>().unwrap(), [1.0, 2.0]);
    // At once, too: by a tensor beside one that is there, and by both.
    let other = y.device().unwrap();
    let product = |x: &Lazy, y: &Lazy| (x.square().to_device(&other) * (y * 3.0)).sum_all();
    let by_one = grad(&x, |x| product(x, &y));
    let (by_x, by_y) = grad(&(x.clone(), y.clone()), |(x, y)| product(x, y));
    for (slope, of, want) in
        [(by_one, &x, [6.0, 24.0]), (by_x, &x, [6.0, 24.0]), (by_y, &y, [3.0, 12.0])]
    {
        assert_eq!(slope.device().unwrap(), of.device().unwrap());
        assert_eq!(slope.to_vec::<f32>().unwrap(), want);
    }
}

#[test]
fn operators_look_at_constants_that_are_cast_first() {
    let x = Lazy::new(&[3, 1], &[1.0_f32, 2.0, 3.0]);
    let flags = || Lazy::new(&[3], &[1, 0, 1]);
    let kept = |x: &Lazy, flags: &Lazy| {
        x.apply("compress", &[&flags.cast(DType::Bool)], [("axis", 0_i64)])
    };
    let recorded = jit(move |x: Lazy| kept(&x, &flags())).call(x.clone()).unwrap();
    for y in [kept(&x, &flags()), recorded] {
        assert_eq!(y.to_vec::<f32>().unwrap(), [1.0, 3.0]);
    }
    let known = flags().cast(DType::Bool);
    let slopes = grad(&x, |x| kept(x, &known).sum_all());
    assert_eq!(slopes.to_vec::<f32>().unwrap(), [1.0, 0.0, 1.0]);
    let resized = |x: Lazy| {
        let scales = Lazy::new(&[2], &[2.0_f32, 1.0]);
        x.apply("resize", &[&scales], [("absent", vec![1_i64])])
    };
    for y in [resized(x.clone()), jit(resized).call(x.clone()).unwrap()] {
        assert_eq!(y.to_vec::<f32>().unwrap(), [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    }
    let each_once = Lazy::apply_all("unique", &[&x.concat(&[&x], 0)], ()).unwrap();
    assert_eq!(each_once[0].to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0]);
    let asking = jit(move |(x, flags): (Lazy, Lazy)| kept(&x, &flags));
    fails(asking.call((x, flags())), ErrorKind::Unsupported, &["before a run", "compress"]);
}

#[test]
fn the_gradient_of_gathered_numbers_is_a_number() {
    let x = Lazy::scalar(3.0_f32);
    let gathered = || grad(&x, |x| x.all_gather().square().sum_all());
    let recorded = jit(|x: Lazy| grad(&x, |x| x.all_gather().square().sum_all()));
    let both = with_engine(Rc::new(Alone), || [gathered(), recorded.call(x.clone()).unwrap()]);
    for gradient in both {
        assert_eq!(&gradient.tensor().unwrap().shape()[..], &[0_usize; 0]);
        assert_eq!(gradient.item::<f32>().unwrap(), 6.0);
    }
}

#[test]
fn a_function_of_no_tensors_is_recorded_for_each_default_device() {
    let runtime = crate::support::runtime();
    let make = jit(|()| Lazy::zeros(DType::F32, &[2]));
    for name in ["cpu:0", "twin:1", "cpu:0"] {
        let device = runtime.device(name).unwrap();
        let made = with_default_device(&device, || make.call(())).unwrap();
        assert_eq!(made.device().unwrap(), device);
    }
    let stats = make.stats();
    assert_eq!((stats.traces, stats.last_miss.unwrap().as_str()), (2, "another default device"));
}

#[test]
fn rows_are_added_up_in_the_order_of_their_indices() {
    let (rows, to, d) = (700, 90, 3);
    let index: Vec<_> = (0..rows).map(|i| (i * 7919 % 97) as i32 - 3).collect();
    let element = |i: usize| (i as f32 * 0.37).sin() * 10_f32.powi(i as i32 % 9 - 4);
    let x: Vec<_> = (0..rows * d).map(element).collect();
    let mut want = vec![0.0_f32; to * d];
    for (k, &row) in index.iter().enumerate().filter(|(_, row)| (0..to as i32).contains(row)) {
        (0..d).for_each(|c| want[row as usize * d + c] += x[k * d + c]);
    }
    let (x, index) = (Lazy::new(&[7, 100, d], &x), Lazy::new(&[7, 100], &index));
    let sums = x.apply("scatter_add", &[&index], [("v", to)]);
    assert_eq!(sums.to_vec::<f32>().unwrap(), want);
    let none = Lazy::zeros(DType::F32, &[0, d]);
    let none = none.apply("scatter_add", &[&Lazy::zeros(DType::I32, &[0])], [("v", 2_usize)]);
    assert_eq!(none.to_vec::<f32>().unwrap(), [0.0; 6]);
}

#[test]
fn the_program_of_a_step_names_its_leaves() {
    let (x, labels) = batch(9);
    let model = (matrix(4, 3), Lazy::placeholder(DType::F32, &[3]));
    let graph = jit(step).graph(&(model, x, labels, Lazy::scalar(0.1_f32))).unwrap();
    let text = graph.to_string();
    for line in
        ["input \"0.0\": f32[4, 3]", "input \"2\": i32[9]", "output \"0.1\"", "output \"1\""]
    {
        assert!(text.contains(line), "{text} without {line}");
    }
    graph.verify().unwrap();
}
