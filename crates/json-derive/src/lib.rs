//! Derive macro for the JSON of a type and its shape.
//!
//! - A struct becomes an object; names become camelCase. An `Option` field is `null` if empty and may be missing on reading.
//! - An enum of unit variants becomes a string.
//! - Any other enum becomes an object whose `type` (or `#[json(tag = "…")]`) names the variant. A variant with one unnamed value needs
//!   `#[json(content = "…")]`, the field that holds the value.
//! - `#[json(rename = "…")]` on a field or variant sets its name in JSON.
//! - `#[json(verbatim)]` on an enum of unit variants keeps their names as written in Rust.
//! - `#[json(late)]` on a variant with one unnamed value excludes it from reading: code that needs it reads the value itself.
//! - `#[json(skip)]` on a field leaves it out of the JSON; it is read as its default.
//! - `#[json(name = "…")]` on a type sets the name of its declaration, if several modules use the same type name.
//! - `#[json(text = "…")]` makes the type a string, by its `Display` and `FromStr`; the text given is a valid example.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, ExprLit, Fields, Ident, Lit, LitStr, Meta, Result, Type, Variant,
    parse_macro_input,
};

/// Derives `Take` (and so `Read`), `Write` and `Shaped`.
#[proc_macro_derive(Json, attributes(json))]
pub fn derive_json(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

#[derive(Default)]
struct Options {
    rename: Option<String>,
    tag: Option<String>,
    content: Option<String>,
    name: Option<String>,
    text: Option<String>,
    late: bool,
    skip: bool,
    verbatim: bool,
}

fn options(attributes: &[Attribute]) -> Result<Options> {
    let mut options = Options::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("json")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("late") {
                options.late = true;
                return Ok(());
            }
            if meta.path.is_ident("skip") {
                options.skip = true;
                return Ok(());
            }
            if meta.path.is_ident("verbatim") {
                options.verbatim = true;
                return Ok(());
            }
            let value = Some(meta.value()?.parse::<LitStr>()?.value());
            // Lists of names are one text, separated by commas.
            if meta.path.is_ident("rename") && value.as_ref().is_some_and(|name| name.contains(',')) {
                return Err(meta.error("a name has no comma"));
            }
            if meta.path.is_ident("rename") {
                options.rename = value;
            } else if meta.path.is_ident("text") {
                options.text = value;
            } else if meta.path.is_ident("tag") {
                options.tag = value;
            } else if meta.path.is_ident("name") {
                options.name = value;
            } else if meta.path.is_ident("content") {
                options.content = value;
            } else {
                return Err(meta.error("unknown option"));
            }
            Ok(())
        })?;
    }
    Ok(options)
}

fn camel(name: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for (index, letter) in name.trim_start_matches("r#").chars().enumerate() {
        if letter == '_' {
            upper = true;
        } else if index == 0 {
            out.extend(letter.to_lowercase());
        } else if upper {
            out.extend(letter.to_uppercase());
            upper = false;
        } else {
            out.push(letter);
        }
    }
    out
}

fn wire_name(ident: &Ident, attributes: &[Attribute]) -> Result<String> {
    Ok(options(attributes)?.rename.unwrap_or_else(|| camel(&ident.to_string())))
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let options = options(&input.attrs)?;
    if let Some(example) = &options.text {
        return Ok(text_form(input, example));
    }
    match &input.data {
        Data::Struct(data) => object_form(input, &data.fields),
        Data::Enum(data)
            if data.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit)) && options.tag.is_none() =>
        {
            word_form(input, &data.variants.iter().collect::<Vec<_>>(), options.verbatim)
        }
        Data::Enum(data) => tagged_form(input, &data.variants.iter().collect::<Vec<_>>(), &options),
        Data::Union(_) => Err(Error::new_spanned(input, "a union has no JSON")),
    }
}

fn assemble(
    input: &DeriveInput,
    write: &TokenStream,
    read: &TokenStream,
    form: &TokenStream,
    inner: &[&Type],
) -> TokenStream {
    let name = &input.ident;
    let text = options(&input.attrs).ok().and_then(|options| options.name).unwrap_or_else(|| name.to_string());
    let about = about(&input.attrs);
    quote! {
        impl portico_json::Write for #name {
            fn write(&self, out: &mut String) { #write }
        }
        impl portico_json::Take for #name {
            // Not inlined: each type that contains this one would contain its code.
            #[inline(never)]
            fn take(value: &portico_json::Value, fault: &mut portico_json::Fault) -> Self { #read }
        }
        impl portico_json::Shaped for #name {
            fn shape() -> portico_json::Shape { portico_json::Shape::Named(#text) }
            fn declare(into: &mut portico_json::Declarations) {
                if into.contains_key(#text) { return; }
                // Inserted before its parts, so that a type may refer to itself.
                into.insert(#text, portico_json::Declared { about: #about, shape: #form });
                #(<#inner as portico_json::Shaped>::declare(into);)*
            }
        }
    }
}

/// Joins the doc comment of a type or field into one line.
fn about(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).filter_map(|attribute| {
        let Meta::NameValue(meta) = &attribute.meta else { return None };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value else { return None };
        Some(text.value().trim().to_owned())
    });
    lines.collect::<Vec<_>>().join(" ")
}

fn text_form(input: &DeriveInput, example: &str) -> TokenStream {
    let name = &input.ident;
    let text = name.to_string();
    assemble(
        input,
        &quote!(portico_json::write_text(&self.to_string(), out);),
        &quote!(portico_json::take_text(value, #text, #example, fault)),
        &quote!(portico_json::Shape::Text),
        &[],
    )
}

fn word_form(input: &DeriveInput, variants: &[&Variant], verbatim: bool) -> Result<TokenStream> {
    let name = &input.ident;
    let text = name.to_string();
    let idents: Vec<_> = variants.iter().map(|variant| &variant.ident).collect();
    let first = idents.first().ok_or_else(|| Error::new_spanned(input, "has no variants"))?;
    let word = |variant: &&Variant| match options(&variant.attrs)?.rename {
        None if verbatim => Ok(variant.ident.to_string()),
        _ => wire_name(&variant.ident, &variant.attrs),
    };
    let words = variants.iter().map(word).collect::<Result<Vec<_>>>()?;
    let indexes: Vec<_> = (0..words.len()).collect();
    let joined = words.join(",");
    let body = assemble(
        input,
        &quote!(portico_json::write_text(self.word(), out);),
        &quote!(match portico_json::take_word(value, #text, #joined, fault) {
            #(#indexes => Self::#idents,)*
            _ => Self::#first,
        }),
        &quote!(portico_json::Shape::Words(vec![#(#words),*])),
        &[],
    );
    Ok(quote! {
        #body
        impl #name {
            /// All values, in the order of declaration.
            pub const ALL: &'static [#name] = &[#(#name::#idents),*];

            /// Returns the name in JSON.
            pub fn word(&self) -> &'static str {
                portico_json::word_at(#joined, match self { #(#name::#idents => #indexes),* })
            }

            /// Finds the value with this name in JSON.
            pub fn from_word(word: &str) -> Option<Self> {
                match portico_json::find_word(#joined, word)? { #(#indexes => Some(#name::#idents),)* _ => None }
            }
        }
    })
}

/// Named fields of a struct or variant, from which the code for writing, reading and the shape is built.
struct Object<'a> {
    idents: Vec<&'a Ident>,
    names: Vec<String>,
    abouts: Vec<String>,
    types: Vec<&'a Type>,
    skipped: Vec<&'a Ident>,
}

impl<'a> Object<'a> {
    fn new(fields: &'a Fields) -> Result<Object<'a>> {
        let (idents, names, abouts, types, skipped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut object = Object { idents, names, abouts, types, skipped };
        for field in fields {
            let ident = field.ident.as_ref().ok_or_else(|| Error::new_spanned(field, "unnamed fields have no JSON"))?;
            if options(&field.attrs)?.skip {
                object.skipped.push(ident);
                continue;
            }
            object.names.push(wire_name(ident, &field.attrs)?);
            object.abouts.push(about(&field.attrs));
            object.idents.push(ident);
            object.types.push(&field.ty);
        }
        Ok(object)
    }

    /// Pattern that binds the fields in JSON to variables of the same names.
    fn pattern(&self) -> TokenStream {
        let (idents, skipped) = (&self.idents, &self.skipped);
        quote!({ #(#idents,)* #(#skipped: _,)* })
    }

    /// Writes the fields from variables of the same names; `head` is the text before the first field.
    fn write(&self, head: &str) -> TokenStream {
        let (idents, names) = (&self.idents, self.names.join(","));
        quote!(
            let fields = &mut portico_json::FieldWriter::new(#head, #names, out);
            #(fields.write(#idents);)*
        )
    }

    /// Prepares to read the fields, and reads them.
    fn read(&self) -> (TokenStream, TokenStream) {
        let (idents, names, skipped) = (&self.idents, self.names.join(","), &self.skipped);
        (
            quote!(let fields = &mut portico_json::FieldReader::new(value, #names, fault);),
            quote!(#(#idents: fields.read(),)* #(#skipped: Default::default(),)*),
        )
    }

    fn form(&self) -> TokenStream {
        let (names, abouts, types) = (&self.names, &self.abouts, &self.types);
        quote!(#(portico_json::Field { name: #names, about: #abouts, shape: <#types as portico_json::Shaped>::shape() }),*)
    }
}

fn object_form(input: &DeriveInput, fields: &Fields) -> Result<TokenStream> {
    let object = Object::new(fields)?;
    let pattern = object.pattern();
    let (write, (fields, read), form) = (object.write("{"), object.read(), object.form());
    Ok(assemble(
        input,
        &quote!(let Self #pattern = self; #write out.push('}');),
        &quote!(
            #fields
            Self { #read }
        ),
        &quote!(portico_json::Shape::Object(vec![#form])),
        &object.types,
    ))
}

fn tagged_form(input: &DeriveInput, variants: &[&Variant], enum_options: &Options) -> Result<TokenStream> {
    let tag = enum_options.tag.clone().unwrap_or_else(|| "type".into());
    let (mut writes, mut reads, mut forms, mut inner) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for variant in variants {
        let ident = &variant.ident;
        let word = wire_name(ident, &variant.attrs)?;
        let head = format!("{{\"{tag}\":\"{word}\"");
        let about = about(&variant.attrs);
        let tag_form =
            quote!(portico_json::Field { name: #tag, about: #about, shape: portico_json::Shape::Word(#word) });
        match &variant.fields {
            Fields::Unit => {
                writes.push(quote!(Self::#ident => out.push_str(#head),));
                reads.push((word, quote!(Self::#ident)));
                forms.push(quote!(vec![#tag_form]));
            }
            Fields::Unnamed(fields) => {
                let content = enum_options
                    .content
                    .as_ref()
                    .ok_or_else(|| Error::new_spanned(variant, "needs #[json(content = …)]"))?;
                let only = &fields
                    .unnamed
                    .first()
                    .filter(|_| fields.unnamed.len() == 1)
                    .ok_or_else(|| Error::new_spanned(variant, "one value"))?
                    .ty;
                writes.push(
                    quote!(Self::#ident(value) => portico_json::FieldWriter::new(#head, #content, out).write(value),),
                );
                // A late variant is read elsewhere, so no code for reading its content is built in here.
                if !options(&variant.attrs)?.late {
                    reads.push((
                        word,
                        quote!(Self::#ident(portico_json::FieldReader::new(value, #content, fault).read())),
                    ));
                }
                forms.push(quote!(vec![#tag_form, portico_json::Field {
                    name: #content, about: "", shape: <#only as portico_json::Shaped>::shape(),
                }]));
                inner.push(only);
            }
            fields @ Fields::Named(_) => {
                let object = Object::new(fields)?;
                let pattern = object.pattern();
                let (write, (fields, read), form) = (object.write(&head), object.read(), object.form());
                writes.push(quote!(Self::#ident #pattern => { #write }));
                reads.push((word, quote!({ #fields Self::#ident { #read } })));
                forms.push(quote!(vec![#tag_form, #form]));
                inner.extend(object.types);
            }
        }
    }
    let (words, reads): (Vec<_>, Vec<_>) = reads.into_iter().unzip();
    // An unknown variant name is a fault, and is read as the first variant.
    let Some(first) = reads.first() else {
        return Err(Error::new_spanned(input, "has no variants"));
    };
    let indexes: Vec<_> = (1..words.len()).collect();
    let (words, reads) = (words.join(","), &reads[1..]);
    Ok(assemble(
        input,
        &quote!(match self { #(#writes)* } out.push('}');),
        &quote!(match portico_json::take_word(value.get(#tag), #tag, #words, fault) {
            #(#indexes => #reads,)*
            _ => #first,
        }),
        &quote!(portico_json::Shape::Tagged(vec![#(#forms),*])),
        &inner,
    ))
}
