//! A world for the core: virtual clock, scripted wallets, storage, HTTP and faults.
