use super::*;
use crate::print::{CUDA, OPENCL};

#[test]
fn every_dialect_translates_the_same_words() {
    let words = |d: &Dialect| d.words.iter().map(|(word, _)| *word).collect::<Vec<_>>();
    assert_eq!(words(&OPENCL), words(&CUDA));
    let unique: std::collections::BTreeSet<_> = words(&CUDA).into_iter().collect();
    assert_eq!(unique.len(), CUDA.words.len());
}

#[test]
fn only_whole_words_are_translated() {
    let text = CUDA.translate("global const u32* k_u32_x = 0xf32u;");
    assert_eq!(text, format!("{}const unsigned int* k_u32_x = 0xf32u;", CUDA.header));
    assert!(
        CUDA.translate("device_exp_f32(device_v_0, device_fill)")
            .contains("expf(device_v_0, device_fill)")
    );
    assert!(OPENCL.translate("f64 x").contains("cl_khr_fp64"));
    assert!(!OPENCL.translate("k_f64").contains("cl_khr_fp64"));
}
