#[automatically_derived]
#[allow(unused_variables)]
impl ::ringwood::lazy::Tensors for Nothing {
    fn visit<'visited>(
        &'visited self,
        visitor: &mut ::ringwood::lazy::Visitor<'visited>,
    ) {}
    fn map(
        self,
        f: &mut dyn ::core::ops::FnMut(::ringwood::lazy::Lazy) -> ::ringwood::lazy::Lazy,
    ) -> Self {
        Self {}
    }
}
