//! Statements that take many rows at once: what many clients need in the same moment costs one of them.

/// One statement for several numbers of rows, so that few have to be prepared.
pub(super) struct Statement {
    texts: [String; 3],
}

const ROWS: [usize; 3] = [64, 8, 1];

impl Statement {
    /// `head` and `tail` with `(values …)` of so many columns between them.
    pub(super) fn new(head: &str, columns: usize, tail: &str) -> Statement {
        let text = |rows: usize| {
            let row = |row: usize| {
                let values: Vec<String> = (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
                format!("({})", values.join(", "))
            };
            let rows: Vec<String> = (0..rows).map(row).collect();
            format!("{head} (values {}) {tail}", rows.join(", "))
        };
        Statement { texts: ROWS.map(text) }
    }

    /// The one for the most rows that are not more than these.
    pub(super) fn of(&'static self, rows: usize) -> (&'static str, usize) {
        let place = ROWS.iter().position(|most| *most <= rows).unwrap_or(ROWS.len() - 1);
        (&self.texts[place], ROWS[place])
    }
}

/// Does a statement with all rows; how many were changed.
macro_rules! all {
    ($connection:expr, $statement:expr, $rows:expr, |$query:ident, $row:ident| $bound:expr) => {{
        let mut changed = 0;
        let mut rest: &[_] = $rows;
        while !rest.is_empty() {
            let (text, rows) = $statement.of(rest.len());
            let (these, others) = rest.split_at(rows);
            let mut $query = sqlx::query(sqlx::AssertSqlSafe(text));
            for $row in these {
                $query = $bound;
            }
            changed += $query.execute(&mut *$connection).await?.rows_affected();
            rest = others;
        }
        changed
    }};
}

/// The same for what is read.
macro_rules! each {
    ($connection:expr, $statement:expr, $rows:expr, |$query:ident, $row:ident| $bound:expr) => {{
        let mut found = Vec::new();
        let mut rest: &[_] = $rows;
        while !rest.is_empty() {
            let (text, rows) = $statement.of(rest.len());
            let (these, others) = rest.split_at(rows);
            let mut $query = sqlx::query_as(sqlx::AssertSqlSafe(text));
            for $row in these {
                $query = $bound;
            }
            found.extend($query.fetch_all(&mut *$connection).await?);
            rest = others;
        }
        found
    }};
}

pub(super) use {all, each};
