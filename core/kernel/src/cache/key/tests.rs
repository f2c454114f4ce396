use super::*;

#[test]
fn the_digest_is_fnv_1a() {
    assert_eq!(digest(&[b""]), 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D);
    assert_eq!(digest(&[b"a"]), 0xD228_CB69_6F1A_8CAF_7891_2B70_4E4A_8964);
    assert_eq!(digest(&[b"fo", b"o"]), digest(&[b"foo"]));
}

#[test]
fn where_a_part_ends_is_in_the_key() {
    let key = |name, value| CacheKey::new("x").with(name, value);
    assert_ne!(key("a", "bc"), key("ab", "c"));
    assert_ne!(key("a", "b").file_name(), key("a", "c").file_name());
}
