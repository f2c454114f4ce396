//! The body of a backend without a device, for tests of what stands around it.
#![allow(unused_macros, reason = "no test uses all of them")]

/// Every item of `impl Backend`.
macro_rules! body {
    () => {
        type Device = ();
        type Stream = ();
        type Memory = ();
        type Event = ();
        type Code = ();
        $crate::chip::methods!();
    };
}

/// Every method of `impl Backend`.
macro_rules! methods {
    () => {
        $crate::chip::methods_but_record!();
        fn record(&self, _: &()) -> ::ringwood::Result<()> {
            Ok(())
        }
    };
}

/// Every method of `impl Backend`, except `record`.
macro_rules! methods_but_record {
    () => {
        fn open() -> ::ringwood::Result<Self> {
            Err(::ringwood::Error::new(::ringwood::ErrorKind::Unavailable, "a test has no device"))
        }
        fn devices(&self) -> ::ringwood::Result<Vec<()>> {
            Ok(vec![])
        }
        fn capabilities(&self, _: &()) -> ::ringwood::backend::Capabilities {
            ::ringwood::backend::Capabilities::default()
        }
        fn stream(&self, _: &(), _: &str) -> ::ringwood::Result<()> {
            Ok(())
        }
        fn allocate(&self, _: &(), _: usize) -> ::ringwood::Result<()> {
            Ok(())
        }
        fn write(
            &self,
            _: &(),
            _: std::sync::Arc<[u8]>,
            _: ::ringwood::backend::Region<'_, ()>,
        ) -> ::ringwood::Result<()> {
            Ok(())
        }
        fn read(
            &self,
            _: &(),
            _: ::ringwood::backend::Region<'_, ()>,
            _: ::ringwood::backend::HostSink,
        ) -> ::ringwood::Result<()> {
            Ok(())
        }
        fn copy(
            &self,
            _: &(),
            _: ::ringwood::backend::Region<'_, ()>,
            _: ::ringwood::backend::Region<'_, ()>,
        ) -> ::ringwood::Result<()> {
            Ok(())
        }
        fn fill(
            &self,
            _: &(),
            _: ::ringwood::backend::Region<'_, ()>,
            _: u8,
        ) -> ::ringwood::Result<()> {
            Ok(())
        }
        fn host_address(&self, _: &()) -> ::ringwood::Result<std::ptr::NonNull<u8>> {
            Ok(std::ptr::NonNull::dangling())
        }
        fn compile(
            &self,
            _: &(),
            _: &[::ringwood::kernel::KernelSpec<'_>],
        ) -> ::ringwood::Result<Vec<()>> {
            Ok(vec![])
        }
        fn launch(
            &self,
            _: &(),
            _: &::ringwood::kernel::Launch<'_, (), ()>,
        ) -> ::ringwood::Result<()> {
            Ok(())
        }
        fn wait(&self, _: &(), _: &()) -> ::ringwood::Result<()> {
            Ok(())
        }
        fn poll(&self, _: &()) -> ::ringwood::backend::Status {
            ::ringwood::backend::Status::Done
        }
        fn block(&self, _: &(), _: std::time::Duration) -> ::ringwood::Result<()> {
            Ok(())
        }
    };
}

#[allow(unused_imports, reason = "no test uses all of them")]
pub(crate) use {body, methods, methods_but_record};
