//! Messages of protocol buffers: a struct for each, which `prost` reads and writes.
//!
//! `prost` derives this from attributes; here a table says it, so that no second version of `syn` is built.

/// Declares messages: `tag field: kind type;` for each field. Kinds: `plain` is its type's default where it
/// is absent, `optional` is an `Option`; `repeated` and `packed` are lists, of one field each and of one
/// field together; `message`, `boxed` and `messages` are other messages.
macro_rules! messages {
    ($($name:ident { $($tag:literal $field:ident: $kind:ident $of:ident;)* })*) => {
        $(
            #[derive(Clone, Debug, Default, PartialEq)]
            pub(crate) struct $name {
                $(pub(crate) $field: $crate::onnx::message::messages!(@type $kind $of),)*
            }

            impl ::prost::Message for $name {
                fn encode_raw(&self, buf: &mut impl ::prost::bytes::BufMut) {
                    $($crate::onnx::message::messages!(@encode $kind $of, $tag, &self.$field, buf);)*
                }

                fn merge_field(
                    &mut self,
                    tag: u32,
                    wire: ::prost::encoding::WireType,
                    buf: &mut impl ::prost::bytes::Buf,
                    ctx: ::prost::encoding::DecodeContext,
                ) -> ::std::result::Result<(), ::prost::DecodeError> {
                    match tag {
                        $($tag => {
                            let field = &mut self.$field;
                            $crate::onnx::message::messages!(@merge $kind $of, field, wire, buf, ctx)
                                .map_err(|mut error| {
                                    error.push(stringify!($name), stringify!($field));
                                    error
                                })
                        })*
                        _ => ::prost::encoding::skip_field(wire, tag, buf, ctx),
                    }
                }

                fn encoded_len(&self) -> usize {
                    0 $(+ $crate::onnx::message::messages!(@len $kind $of, $tag, &self.$field))*
                }

                fn clear(&mut self) {
                    *self = Self::default();
                }
            }
        )*
    };

    (@scalar float) => { f32 };
    (@scalar double) => { f64 };
    (@scalar int32) => { i32 };
    (@scalar int64) => { i64 };
    (@scalar uint64) => { u64 };
    (@scalar string) => { ::std::string::String };
    (@scalar bytes) => { ::prost::bytes::Bytes };

    (@type plain $of:ident) => { $crate::onnx::message::messages!(@scalar $of) };
    (@type optional $of:ident) => { Option<$crate::onnx::message::messages!(@scalar $of)> };
    (@type repeated $of:ident) => { Vec<$crate::onnx::message::messages!(@scalar $of)> };
    (@type packed $of:ident) => { Vec<$crate::onnx::message::messages!(@scalar $of)> };
    (@type message $of:ident) => { Option<$of> };
    (@type boxed $of:ident) => { Option<Box<$of>> };
    (@type messages $of:ident) => { Vec<$of> };

    (@encode plain $of:ident, $tag:literal, $value:expr, $buf:expr) => {
        if *$value != <$crate::onnx::message::messages!(@scalar $of)>::default() {
            ::prost::encoding::$of::encode($tag, $value, $buf);
        }
    };
    (@encode optional $of:ident, $tag:literal, $value:expr, $buf:expr) => {
        if let Some(value) = $value {
            ::prost::encoding::$of::encode($tag, value, $buf);
        }
    };
    (@encode repeated $of:ident, $tag:literal, $value:expr, $buf:expr) => {
        ::prost::encoding::$of::encode_repeated($tag, $value, $buf)
    };
    (@encode packed $of:ident, $tag:literal, $value:expr, $buf:expr) => {
        ::prost::encoding::$of::encode_packed($tag, $value, $buf)
    };
    (@encode message $of:ident, $tag:literal, $value:expr, $buf:expr) => {
        if let Some(value) = $value {
            ::prost::encoding::message::encode($tag, value, $buf);
        }
    };
    (@encode boxed $of:ident, $tag:literal, $value:expr, $buf:expr) => {
        $crate::onnx::message::messages!(@encode message $of, $tag, $value, $buf)
    };
    (@encode messages $of:ident, $tag:literal, $value:expr, $buf:expr) => {
        ::prost::encoding::message::encode_repeated($tag, $value, $buf)
    };

    (@merge plain $of:ident, $field:expr, $wire:expr, $buf:expr, $ctx:expr) => {
        ::prost::encoding::$of::merge($wire, $field, $buf, $ctx)
    };
    (@merge optional $of:ident, $field:expr, $wire:expr, $buf:expr, $ctx:expr) => {
        ::prost::encoding::$of::merge($wire, $field.get_or_insert_default(), $buf, $ctx)
    };
    (@merge repeated $of:ident, $field:expr, $wire:expr, $buf:expr, $ctx:expr) => {
        ::prost::encoding::$of::merge_repeated($wire, $field, $buf, $ctx)
    };
    (@merge packed $of:ident, $field:expr, $wire:expr, $buf:expr, $ctx:expr) => {
        ::prost::encoding::$of::merge_repeated($wire, $field, $buf, $ctx)
    };
    (@merge message $of:ident, $field:expr, $wire:expr, $buf:expr, $ctx:expr) => {
        ::prost::encoding::message::merge($wire, $field.get_or_insert_default(), $buf, $ctx)
    };
    (@merge boxed $of:ident, $field:expr, $wire:expr, $buf:expr, $ctx:expr) => {
        $crate::onnx::message::messages!(@merge message $of, $field, $wire, $buf, $ctx)
    };
    (@merge messages $of:ident, $field:expr, $wire:expr, $buf:expr, $ctx:expr) => {
        ::prost::encoding::message::merge_repeated($wire, $field, $buf, $ctx)
    };

    (@len plain $of:ident, $tag:literal, $value:expr) => {
        if *$value == <$crate::onnx::message::messages!(@scalar $of)>::default() {
            0
        } else {
            ::prost::encoding::$of::encoded_len($tag, $value)
        }
    };
    (@len optional $of:ident, $tag:literal, $value:expr) => {
        $value.as_ref().map_or(0, |value| ::prost::encoding::$of::encoded_len($tag, value))
    };
    (@len repeated $of:ident, $tag:literal, $value:expr) => {
        ::prost::encoding::$of::encoded_len_repeated($tag, $value)
    };
    (@len packed $of:ident, $tag:literal, $value:expr) => {
        ::prost::encoding::$of::encoded_len_packed($tag, $value)
    };
    (@len message $of:ident, $tag:literal, $value:expr) => {
        $value.as_ref().map_or(0, |value| ::prost::encoding::message::encoded_len($tag, value))
    };
    (@len boxed $of:ident, $tag:literal, $value:expr) => {
        $crate::onnx::message::messages!(@len message $of, $tag, $value)
    };
    (@len messages $of:ident, $tag:literal, $value:expr) => {
        ::prost::encoding::message::encoded_len_repeated($tag, $value)
    };
}

pub(crate) use messages;
