//! Launches compute what their kernels say, for every size and form.

use super::{native, standard, suite};
use crate::bench::{Bench, Raw, all, part};
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::{ErrorKind, Result, Scalar, Shape, StridedShape};
use ringwood_device::backend::Handle;
use ringwood_device::kernel::{Arg, Kernel, KernelSpec};

pub(super) const CASES: &[Case] = &suite(
    "kernels",
    &[Power::Streams, Power::Kernels],
    [
        ("maps_of_every_size", maps_of_every_size),
        ("maps_broadcast", maps_broadcast),
        ("maps_in_place", maps_in_place),
        ("grids_of_every_size", grids_of_every_size),
        ("grids_of_many_dimensions", grids_of_many_dimensions),
        ("grids_of_any_rank", grids_of_any_rank),
        ("slices_at_offsets", slices_at_offsets),
        ("views_at_steps", views_at_steps),
        ("scalars_are_captured_at_submission", scalars_are_captured_at_submission),
        ("launches_run_once_in_order", launches_run_once_in_order),
        ("host_kernels_run_once", host_kernels_run_once),
        ("a_batch_compiles_in_order", a_batch_compiles_in_order),
        ("a_kernel_without_code_is_unsupported", a_kernel_without_code_is_unsupported),
    ],
);

const SIZES: [usize; 9] = [0, 1, 2, 63, 64, 65, 1000, 65_537, 1 << 20];

fn dense(memory: &Handle, elements: usize) -> Arg<'_, Handle> {
    Arg::Slice { region: all(memory, elements * 4), strides: None }
}

fn strided<'a>(memory: &'a Handle, elements: usize, strides: &'a [usize]) -> Arg<'a, Handle> {
    Arg::Slice { region: all(memory, elements * 4), strides: Some(strides) }
}

/// Rows and columns at these steps.
fn shape(rows: usize, columns: usize, strides: [usize; 2]) -> Result<StridedShape> {
    StridedShape::new(Shape::new(&[rows, columns])?, &strides)
}

fn upload(raw: &Raw, stream: &Handle, values: &[u32]) -> Result<Handle> {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let memory = raw.memory(bytes.len())?;
    raw.write(stream, all(&memory, bytes.len()), &bytes)?;
    Ok(memory)
}

fn download(raw: &Raw, stream: &Handle, memory: &Handle, elements: usize) -> Result<Vec<u32>> {
    let bytes = raw.read(stream, all(memory, elements * 4))?;
    let words = bytes.chunks_exact(4).map(|w| u32::from_ne_bytes([w[0], w[1], w[2], w[3]]));
    Ok(words.collect())
}

/// Values that overflow when added to each other here and there.
fn values(elements: usize, factor: u32) -> Vec<u32> {
    (0..elements as u32).map(|i| i.wrapping_mul(factor)).collect()
}

fn maps_of_every_size(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, code) = (raw.stream()?, raw.compile(&standard::add())?);
    for n in SIZES {
        let (x, z) = (values(n, 0x9e37_79b9), values(n, 7));
        let (dx, dz) = (upload(&raw, &stream, &x)?, upload(&raw, &stream, &z)?);
        let y = raw.memory(n * 4)?;
        raw.launch(&stream, &code, &[n], &[dense(&dx, n), dense(&dz, n), dense(&y, n)])?;
        let got = download(&raw, &stream, &y, n)?;
        let wrong = (0..n).find(|&i| got[i] != x[i].wrapping_add(z[i]));
        ensure_holds!(wrong.is_none(), "{n} elements: element {wrong:?} is wrong");
    }
    Ok(())
}

fn maps_broadcast(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, code) = (raw.stream()?, raw.compile(&standard::add())?);
    let (rows, columns) = (33, 65);
    let n = rows * columns;
    let (x, z) = (values(rows, 1000), values(columns, 1));
    let (dx, dz) = (upload(&raw, &stream, &x)?, upload(&raw, &stream, &z)?);
    let y = raw.memory(n * 4)?;
    let args = [strided(&dx, rows, &[1, 0]), strided(&dz, columns, &[0, 1]), dense(&y, n)];
    raw.launch(&stream, &code, &[rows, columns], &args)?;
    let got = download(&raw, &stream, &y, n)?;
    let wrong = (0..n).find(|&i| got[i] != x[i / columns] + z[i % columns]);
    ensure_holds!(wrong.is_none(), "element {wrong:?} is wrong");
    Ok(())
}

fn maps_in_place(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, code) = (raw.stream()?, raw.compile(&standard::add())?);
    let (n, x) = (10_000, values(10_000, 3));
    let (y, z) = (upload(&raw, &stream, &x)?, upload(&raw, &stream, &values(n, 5))?);
    raw.launch(&stream, &code, &[n], &[dense(&y, n), dense(&z, n), dense(&y, n)])?;
    let got = download(&raw, &stream, &y, n)?;
    let wrong = (0..n).find(|&i| got[i] as usize != 8 * i);
    ensure_holds!(wrong.is_none(), "element {wrong:?} is wrong");
    Ok(())
}

fn grids_of_every_size(bench: &Bench) -> Check {
    for n in SIZES {
        grid(bench, &[n])?;
    }
    Ok(())
}

fn grids_of_many_dimensions(bench: &Bench) -> Check {
    for domain in [&[7, 9][..], &[2, 0, 3], &[3, 5, 7], &[1, 1, 500]] {
        grid(bench, domain)?;
    }
    Ok(())
}

/// The kernel IR ends at three dimensions.
fn grids_of_any_rank(bench: &Bench) -> Check {
    for domain in [&[][..], &[2, 3, 4, 5, 6, 7], &[1, 1, 1, 500]] {
        grid(bench, domain)?;
    }
    Ok(())
}

fn grid(bench: &Bench, domain: &[usize]) -> Check {
    let raw = bench.raw()?;
    let ir = native::index_ir(domain);
    let spec = KernelSpec { ir: ir.as_deref(), ..native::INDEX };
    let (stream, code) = (raw.stream()?, raw.compile_native(spec)?);
    let n = domain.iter().product();
    let y = raw.memory(n * 4)?;
    raw.launch(&stream, &code, domain, &[Arg::Scalar(Scalar::U32(5)), dense(&y, n)])?;
    let got = download(&raw, &stream, &y, n)?;
    let wrong = (0..n).find(|&i| got[i] as usize != i + 5);
    ensure_holds!(wrong.is_none(), "domain {domain:?}: item {wrong:?} is wrong");
    Ok(())
}

fn slices_at_offsets(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, code) = (raw.stream()?, raw.compile_native(native::INDEX)?);
    let y = upload(&raw, &stream, &[9; 20])?;
    let middle = Arg::Slice { region: part(&y, 12, 40), strides: None };
    raw.launch(&stream, &code, &[10], &[Arg::Scalar(Scalar::U32(100)), middle])?;
    let got = download(&raw, &stream, &y, 20)?;
    let wants: Vec<_> = (0..20).map(|i| if (3..13).contains(&i) { 97 + i } else { 9 }).collect();
    ensure_holds!(got == wants, "got {got:?}");
    Ok(())
}

/// Every second column of a matrix, turned, into columns of another one, whose other elements stay.
fn views_at_steps(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, code) = (raw.stream()?, raw.compile_native(native::TURN)?);
    let (rows, columns) = (33, 65);
    let (x, y) = (values(columns * 2 * rows, 1), values(rows * 3 * columns, 7));
    let (dx, dy) = (upload(&raw, &stream, &x)?, upload(&raw, &stream, &y)?);
    let from = shape(columns, rows, [2 * rows, 2])?;
    let to = shape(rows, columns, [3 * columns, 3])?;
    // The second element of each row is the first one of the view.
    let second = |memory, shape| {
        let bytes = StridedShape::reach(shape) * 4;
        Arg::View { region: part(memory, 4, bytes), shape }
    };
    raw.launch(&stream, &code, &[rows, columns], &[second(&dx, &from), second(&dy, &to)])?;
    let mut want = y;
    for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
        want[1 + (i * columns + j) * 3] = 3 * x[1 + (j * rows + i) * 2];
    }
    let got = download(&raw, &stream, &dy, want.len())?;
    let wrong = (0..want.len()).find(|&i| got[i] != want[i]);
    ensure_holds!(wrong.is_none(), "element {wrong:?} is wrong");
    Ok(())
}

fn scalars_are_captured_at_submission(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, code) = (raw.stream()?, raw.compile_native(native::INDEX)?);
    let memories = (0..100).map(|_| raw.memory(4)).collect::<Result<Vec<_>>>()?;
    let mut scalar;
    for (i, y) in memories.iter().enumerate() {
        scalar = Scalar::U32(i as u32);
        raw.launch(&stream, &code, &[1], &[Arg::Scalar(scalar), dense(y, 1)])?;
    }
    for (i, y) in memories.iter().enumerate() {
        let got = download(&raw, &stream, y, 1)?[0];
        ensure_holds!(got as usize == i, "launch {i} saw the scalar {got}");
    }
    Ok(())
}

fn launches_run_once_in_order(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, code) = (raw.stream()?, raw.compile_native(native::APPEND)?);
    let y = upload(&raw, &stream, &[0; 100])?;
    for digit in 1..10 {
        raw.launch(&stream, &code, &[100], &[Arg::Scalar(Scalar::U32(digit)), dense(&y, 100)])?;
    }
    let got = download(&raw, &stream, &y, 100)?;
    let wrong = got.iter().find(|&&digits| digits != 123_456_789);
    ensure_holds!(wrong.is_none(), "the launches ran as {wrong:?}");
    Ok(())
}

fn host_kernels_run_once(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, code) = (raw.stream()?, raw.compile_native(native::COUNT)?);
    let y = upload(&raw, &stream, &[0])?;
    for domain in [&[][..], &[1], &[100_000], &[3, 4]] {
        raw.launch(&stream, &code, domain, &[dense(&y, 1)])?;
    }
    let got = download(&raw, &stream, &y, 1)?[0];
    ensure!(got == 4, "4 launches ran {got} times");
    Ok(())
}

fn a_batch_compiles_in_order(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    raw.compile_native(native::INDEX)?;
    let [index, add] = [native::INDEX, standard::add()].map(|spec| Kernel::from(&spec));
    let codes = raw.backend.compile(&raw.device, &[&index, &add, &index])?;
    ensure!(raw.backend.compile(&raw.device, &[])?.is_empty(), "no kernels compiled to some");
    let (stream, y) = (raw.stream()?, raw.memory(4)?);
    raw.launch(&stream, &codes[0], &[1], &[Arg::Scalar(Scalar::U32(40)), dense(&y, 1)])?;
    raw.launch(&stream, &codes[1], &[1], &[dense(&y, 1), dense(&y, 1), dense(&y, 1)])?;
    let got = download(&raw, &stream, &y, 1)?;
    ensure_holds!(got == [80], "index, then add: {got:?}");
    Ok(())
}

fn a_kernel_without_code_is_unsupported(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let spec = KernelSpec { name: "codeless", ir: None, native: None, ..native::COUNT };
    match raw.compile(&spec) {
        Ok(_) => Err(Stop::Failed("a kernel without IR and native code compiles".into())),
        Err(e) => {
            ensure!(e.kind() == ErrorKind::Unsupported, "{e:?}");
            ensure!(e.to_string().contains("codeless"), "the kernel is not named: {e}");
            Ok(())
        }
    }
}
