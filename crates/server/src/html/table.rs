//! Tables of figures. On a phone each row is drawn as a card, so each cell carries the name of its column. The roles are named because a
//! browser forgets them where cells are no longer drawn as a table.

use super::Html;

/// Table under construction.
pub(crate) struct Table<'a> {
    html: &'a mut Html,
    columns: &'static [&'static str],
    /// Column of the next cell.
    at: usize,
}

impl<'a> Table<'a> {
    /// Beginning of a table; a column with a hyphen before its name has numbers.
    pub(crate) fn begin(html: &'a mut Html, name: &'static str, columns: &'static [&'static str]) -> Table<'a> {
        html.raw("<div class=\"card\" role=\"region\" tabindex=\"0\" aria-label=\"").raw(name).raw("\">\n");
        html.raw("<table role=\"table\">\n<thead role=\"rowgroup\"><tr role=\"row\">");
        for column in columns {
            let class = if is_number(column) { " class=\"number\"" } else { "" };
            html.raw("<th scope=\"col\" role=\"columnheader\"").raw(class).raw(">").raw(name_of(column)).raw("</th>");
        }
        html.raw("</tr></thead>\n<tbody role=\"rowgroup\">\n");
        Table { html, columns, at: 0 }
    }

    /// Row with this head, which names it.
    pub(crate) fn row(&mut self, head: impl FnOnce(&mut Html)) -> &mut Self {
        self.html.raw("<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">");
        head(self.html);
        self.html.raw("</th>");
        self.at = 1;
        self
    }

    /// Next cell of the row.
    pub(crate) fn cell(&mut self, content: impl FnOnce(&mut Html)) -> &mut Self {
        self.classed("", content)
    }

    /// Next cell of the row, with a class of the style.
    pub(crate) fn classed(&mut self, class: &'static str, content: impl FnOnce(&mut Html)) -> &mut Self {
        let column = self.columns.get(self.at).copied().unwrap_or_default();
        let class = if is_number(column) { "number" } else { class };
        self.html.raw("<td role=\"cell\" data-label=\"").raw(name_of(column)).raw("\"");
        if !class.is_empty() {
            self.html.raw(" class=\"").raw(class).raw("\"");
        }
        self.html.raw("><span>");
        content(self.html);
        self.html.raw("</span></td>");
        self.at += 1;
        if self.at == self.columns.len() {
            self.html.raw("</tr>\n");
        }
        self
    }

    pub(crate) fn end(self) {
        self.html.raw("</tbody>\n</table>\n</div>\n");
    }
}

fn is_number(column: &str) -> bool {
    column.starts_with('-')
}

fn name_of(column: &'static str) -> &'static str {
    column.strip_prefix('-').unwrap_or(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_carries_the_name_of_its_column() {
        let mut html = Html::default();
        let mut table = Table::begin(&mut html, "Fruit", &["Name", "Colour", "-Count"]);
        let write = |text: &'static str| {
            move |html: &mut Html| {
                html.text(text);
            }
        };
        table.row(write("<pear>")).cell(write("green")).cell(write("7"));
        table.end();
        let text = html.into_text();
        assert!(
            text.contains("<th scope=\"col\" role=\"columnheader\" class=\"number\">Count</th></tr></thead>"),
            "{text}"
        );
        let row = "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">&lt;pear&gt;</th>\
            <td role=\"cell\" data-label=\"Colour\"><span>green</span></td>\
            <td role=\"cell\" data-label=\"Count\" class=\"number\"><span>7</span></td></tr>\n</tbody>";
        assert!(text.contains(row), "{text}");
    }
}
