#[automatically_derived]
#[allow(unused_variables)]
impl ::ringwood::lazy::Tensors for Pair {
    fn visit<'visited>(
        &'visited self,
        visitor: &mut ::ringwood::lazy::Visitor<'visited>,
    ) {
        visitor.field::<Lazy>("0", &self.0);
        visitor.field::<Vec<Lazy>>("1", &self.1);
    }
    fn map(
        self,
        f: &mut dyn ::core::ops::FnMut(::ringwood::lazy::Lazy) -> ::ringwood::lazy::Lazy,
    ) -> Self {
        Self {
            0: <Lazy as ::ringwood::lazy::Tensors>::map(self.0, f),
            1: <Vec<Lazy> as ::ringwood::lazy::Tensors>::map(self.1, f),
        }
    }
}
