use super::*;

#[test]
fn a_text_mentions_whole_words() {
    assert!(mentions("void scale(", "scale") && mentions("scale", "scale"));
    assert!(!mentions("rescale scale2 _scale scal", "scale") && !mentions("", "scale"));
    assert!(mentions("scale2(scale)", "scale"));
}

#[test]
fn parameters_are_counted() {
    let text = "// calls scale(1)\n__kernel void\nscale /* all */ (float a, // first, alone\n\
        __global const float (*x)[3], size_t n) {}";
    assert!(takes(text, "scale", 3) && !takes(text, "scale", 2) && !takes(text, "scale", 4));
    assert!(takes("void scale() {}", "scale", 0) && !takes("void scale() {}", "scale", 1));
}

#[test]
fn what_cannot_be_counted_has_any_number() {
    for text in
        ["fn scale(x: array<f32>)", "void scale(ARGUMENTS)", "DEFINE(scale)", "void scale(", ""]
    {
        assert!(takes(text, "scale", 7), "{text}");
    }
    assert!(takes("void scale(float x, EXTENTS)", "scale", 7));
    assert!(takes("void scale(float x\n#ifdef A\n, int y\n#endif\n)", "scale", 7));
}
