#[automatically_derived]
#[allow(unused_variables)]
impl ::ringwood::lazy::Tensors for Pair {
    fn visit<'visited>(
        &'visited self,
        visitor: &mut ::ringwood::lazy::Visitor<'visited>,
    ) {
        visitor.field("0", &self.0);
        visitor.field("1", &self.1);
    }
    fn map(
        self,
        f: &mut dyn ::core::ops::FnMut(::ringwood::lazy::Lazy) -> ::ringwood::lazy::Lazy,
    ) -> Self {
        Self {
            0: ::ringwood::lazy::Tensors::map(self.0, f),
            1: ::ringwood::lazy::Tensors::map(self.1, f),
        }
    }
}
