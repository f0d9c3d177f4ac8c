#!/bin/sh
# Builds portico for Linux and packs it with what belongs to it.
#
#   packaging/release.sh x86-64                      builds target/release-packages/portico-VERSION-linux-x86-64.tar.gz
#   packaging/release.sh arm64                       the same for arm64; says what this machine lacks for it
#   packaging/release.sh x86-64 --binary FILE        packs a binary that is already built
#   packaging/release.sh x86-64 --frame FOLDER       packs a frame of the embedded wallet that is already built
#   packaging/release.sh x86-64 --widget FILE        packs an npm package of the widget that is already built
#   packaging/release.sh x86-64 --output FOLDER      another folder for the package
set -eu

fail() {
    echo "$1" >&2
    exit 1
}

# The lines at the top of this file.
case " $* " in
*" --help "* | *" -h "*)
    sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
kind=${1:-}
[ $# -gt 0 ] && shift
binary=
frame=
widget=
output=$root/target/release-packages
while [ $# -gt 0 ]; do
    [ $# -gt 1 ] || fail "$1 needs a value."
    case $1 in
    --binary) binary=$2 ;;
    --frame) frame=$2 ;;
    --widget) widget=$2 ;;
    --output) output=$2 ;;
    *) fail "Unknown option $1. Use --binary, --frame, --widget or --output." ;;
    esac
    shift 2
done

# machine: bytes 18 and 19 of the ELF header.
case $kind in
x86-64) triple=x86_64-unknown-linux-gnu machine=3e00 linker=x86_64-linux-gnu-gcc package=gcc-x86-64-linux-gnu native=x86_64 ;;
arm64) triple=aarch64-unknown-linux-gnu machine=b700 linker=aarch64-linux-gnu-gcc package=gcc-aarch64-linux-gnu native=aarch64 ;;
*) fail "Say for which processor: packaging/release.sh x86-64 or packaging/release.sh arm64. For all options: packaging/release.sh --help" ;;
esac

if [ -z "$binary" ]; then
    lacks=
    libraries=$(rustc --print target-libdir --target "$triple" 2>/dev/null || true)
    [ -d "$libraries" ] || lacks="$lacks
  the standard library of Rust for $triple: rustup target add $triple"
    if [ "$(uname -m)" = "$native" ]; then
        linker=cc
    elif ! command -v "$linker" >/dev/null; then
        lacks="$lacks
  a C compiler and linker for it: apt-get install $package libc6-dev-$kind-cross"
    fi
    [ -z "$lacks" ] || fail "Can't build for $kind on this machine. Install:$lacks"
    cd "$root"
    if [ "$(uname -m)" = "$native" ]; then
        cargo build --release --locked --package portico-server
        binary=${CARGO_TARGET_DIR:-$root/target}/release/portico
    else
        variable=$(echo "$triple" | tr 'a-z-' 'A-Z_')
        export "CARGO_TARGET_${variable}_LINKER=$linker" "CC_$(echo "$triple" | tr - _)=$linker"
        cargo build --release --locked --package portico-server --target "$triple"
        binary=${CARGO_TARGET_DIR:-$root/target}/$triple/release/portico
    fi
fi

# The frame is the same for all machines.
if [ -z "$frame" ]; then
    frame=$root/packages/frame/dist
    if [ ! -f "$frame/index.html" ]; then
        command -v npm >/dev/null || fail "The frame of the embedded wallet is built by npm, which this machine lacks. Pack one that is built: --frame FOLDER."
        (cd "$root" && npm ci && cargo xtask wasm --signer && npm run build -w packages/frame) >&2
    fi
fi
[ -f "$frame/index.html" ] || fail "There is no frame in $frame."

[ -f "$binary" ] || fail "There is no file $binary."
found=$(od -An -tx1 -j18 -N2 "$binary" | tr -d ' \n')
[ "$found" = "$machine" ] || fail "$binary is not a program for $kind."

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)
name=portico-$version-linux-$kind
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The npm package of the widget, which sites install, is the same for all machines too.
if [ -z "$widget" ]; then
    command -v npm >/dev/null || fail "The widget is packed by npm, which this machine lacks. Name a package that is built: --widget FILE."
    if [ ! -f "$root/packages/widget/dist/index.js" ]; then
        (cd "$root" && npm ci && cargo xtask wasm && npm run build -w packages/widget) >&2
    fi
    (cd "$root" && npm pack --silent --workspace packages/widget --pack-destination "$work") >&2
    widget=$work/portico-widget-$version.tgz
fi
[ -f "$widget" ] || fail "There is no file $widget."

mkdir -p "$work/$name/packaging" "$work/$name/docs" "$output"
install -m 755 "$binary" "$work/$name/portico"
cp "$root/LICENSE-APACHE" "$root/LICENSE-MIT" "$work/$name/"
# The program names these files by their paths in the source code.
cp -r "$root/docs/operations" "$root/docs/guides" "$root/docs/security" "$root/docs/errors.md" "$work/$name/docs/"
# The package has it beside its docs.
sed 's#](\.\./docs/#](docs/#g' "$root/packaging/README.md" >"$work/$name/README.md"
cp -r "$frame" "$work/$name/frame"
cp "$widget" "$work/$name/portico-widget-$version.tgz"
for file in portico.service portico-vault.service portico-wallet.conf nginx.conf nginx-wallet.conf Caddyfile grafana.json kubernetes.yaml \
    kubernetes-wallet.yaml; do
    cp "$root/packaging/$file" "$work/$name/packaging/"
done
# Links to files that only the source code has become their paths.
path='\(\(crates\|e2e\|examples\|packages\)/[^)]*\|packaging/\(Dockerfile\|compose[a-z.]*\|release\.sh\)\)'
find "$work/$name/docs" -name '*.md' -exec sed -i \
    -e "s#\[\([^]]*\)\](\.\./\.\./\(\.\./\)*$path)#\1 (in the source code: \3)#g" \
    -e 's#\[\([^]]*\)\](\.\./\(decisions/[^)]*\))#\1 (in the source code: docs/\2)#g' {} +
# The same files make the same archive: sorted, owned by nobody, and as old as the commit.
when=$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$when" -C "$work" -cf "$work/$name.tar" "$name"
gzip --no-name --best "$work/$name.tar"
mv "$work/$name.tar.gz" "$output/"
(cd "$output" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "$output/$name.tar.gz"
