use crate::tests::saxpy;

#[test]
fn a_kernel_reads_like_its_source() {
    assert_eq!(
        saxpy().to_string(),
        "kernel saxpy(a: f32, x: &[f32], y: &mut [f32]) over 1 dimensions {\n    \
         let i_0: usize = gid(0);\n    \
         y[i_0] = ((a * x[i_0]) + y[i_0]);  // site 9\n}"
    );
}
