//! SQL statements for many rows at once, so that the rows of many clients share one statement.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

/// A statement in variants for several numbers of rows, so that few have to be prepared.
pub(super) struct Statement {
    texts: [String; 3],
}

const ROWS: [usize; 3] = [64, 8, 1];

impl Statement {
    /// Builds `head (values …) tail`; `columns` is the number of values per row.
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

    /// The variant with the most rows that does not exceed `rows`, and its number of rows.
    pub(super) fn of(&'static self, rows: usize) -> (&'static str, usize) {
        let place = ROWS.iter().position(|most| *most <= rows).unwrap_or(ROWS.len() - 1);
        (&self.texts[place], ROWS[place])
    }
}

/// Executes a statement for all rows; returns the number of rows changed.
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

/// Runs a query, or a statement that returns rows, for all rows; returns the rows found.
macro_rules! each {
    ($connection:expr, $statement:expr, $rows:expr, |$query:ident, $row:ident| $bound:expr) => {{
        let mut found = Vec::new();
        let mut rest: &[_] = $rows;
        while !rest.is_empty() {
            let (text, rows) = $statement.of(rest.len());
            let (these, others) = rest.split_at(rows);
            let mut $query = sqlx::query(sqlx::AssertSqlSafe(text));
            for $row in these {
                $query = $bound;
            }
            for row in &$query.fetch_all(&mut *$connection).await? {
                found.push(sqlx::FromRow::from_row(row)?);
            }
            rest = others;
        }
        found
    }};
}

pub(super) use {all, each};
