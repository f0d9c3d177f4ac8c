//! SQL statements of projects.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

use super::origin::Pattern;
use super::{Entry, ProjectId, Quota};
use crate::config::Method;
use crate::db::{Database, on};
use sqlx::{Error, query, query_as, query_scalar};
use std::collections::HashMap;

/// Kind of a rule; each rule allows one value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    Origin,
    Method,
    Chain,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Origin => "origin",
            Kind::Method => "method",
            Kind::Chain => "chain",
        }
    }
}

type Row = (String, String, i64, Option<i64>, Option<i64>, Option<i64>, Option<i64>, String);

/// Reads a project.
pub(crate) async fn read(database: &Database, id: &ProjectId) -> Result<Option<Entry>, Error> {
    let select =
        "select id, name, created_at, disabled_at, per_second, burst, per_day, secret_hash from project where id = $1";
    let rules = "select kind, value from project_rule where project_id = $1 order by kind, value";
    let (row, rules): (Option<Row>, Vec<(String, String)>) = on!(database, |pool| {
        let row = query_as(select).bind(id.as_str()).fetch_optional(pool).await?;
        (row, query_as(rules).bind(id.as_str()).fetch_all(pool).await?)
    });
    row.map(|row| entry(row, rules)).transpose()
}

/// The oldest projects, at most this many, and the number of all.
pub(crate) async fn oldest(database: &Database, most: usize) -> Result<(Vec<Entry>, usize), Error> {
    let select = "select id, name, created_at, disabled_at, per_second, burst, per_day, secret_hash from project
                  order by created_at, id limit $1";
    let rules = "select project_id, kind, value from project_rule
                 where project_id in (select id from project order by created_at, id limit $1)
                 order by project_id, kind, value";
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let (rows, rules, all): (Vec<Row>, Vec<(String, String, String)>, i64) = on!(database, |pool| {
        let rows = query_as(select).bind(most).fetch_all(pool).await?;
        let rules = query_as(rules).bind(most).fetch_all(pool).await?;
        (rows, rules, query_scalar("select count(*) from project").fetch_one(pool).await?)
    });
    let mut of: HashMap<String, Vec<(String, String)>> = HashMap::new();
    for (id, kind, value) in rules {
        of.entry(id).or_default().push((kind, value));
    }
    let entries = rows.into_iter().map(|row| {
        let rules = of.remove(&row.0).unwrap_or_default();
        entry(row, rules)
    });
    Ok((entries.collect::<Result<_, _>>()?, usize::try_from(all).unwrap_or_default()))
}

/// Ids of all projects, oldest first.
pub(crate) async fn ids(database: &Database) -> Result<Vec<String>, Error> {
    on!(database, |pool| query_scalar("select id from project order by created_at, id").fetch_all(pool).await)
}

/// Adds a project; false if the id exists.
pub(crate) async fn insert(database: &Database, entry: &Entry) -> Result<bool, Error> {
    let insert = "insert into project (id, name, created_at, disabled_at, per_second, burst, per_day, secret_hash)
                  values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing";
    let Quota { per_second, burst, per_day } = entry.quota;
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let inserted = query(insert)
            .bind(entry.id.as_str())
            .bind(&entry.name)
            .bind(entry.created_at)
            .bind(entry.disabled_at)
            .bind(per_second.map(i64::from))
            .bind(burst.map(i64::from))
            .bind(per_day.map(i64::from))
            .bind(&entry.secret_hash)
            .execute(&mut *transaction)
            .await?;
        if inserted.rows_affected() == 0 {
            return Ok(false);
        }
        for (kind, value) in rules(entry) {
            query(INSERT_RULE).bind(entry.id.as_str()).bind(kind.word()).bind(value).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    })
}

const INSERT_RULE: &str = "insert into project_rule (project_id, kind, value) values ($1, $2, $3) on conflict (project_id, kind, value) do nothing";

/// Adds a rule; false if it exists.
pub(crate) async fn allow(database: &Database, id: &ProjectId, kind: Kind, value: &str) -> Result<bool, Error> {
    rule(database, INSERT_RULE, id, kind, value).await
}

/// Removes a rule; false if there is none.
pub(crate) async fn forbid(database: &Database, id: &ProjectId, kind: Kind, value: &str) -> Result<bool, Error> {
    let delete = "delete from project_rule where project_id = $1 and kind = $2 and value = $3";
    rule(database, delete, id, kind, value).await
}

async fn rule(
    database: &Database,
    statement: &'static str,
    id: &ProjectId,
    kind: Kind,
    value: &str,
) -> Result<bool, Error> {
    let changed = on!(database, |pool| {
        query(statement).bind(id.as_str()).bind(kind.word()).bind(value).execute(pool).await?.rows_affected()
    });
    Ok(changed > 0)
}

/// Sets the quota; false if there is no such project.
pub(crate) async fn set_quota(database: &Database, id: &ProjectId, quota: Quota) -> Result<bool, Error> {
    let update = "update project set per_second = $2, burst = $3, per_day = $4 where id = $1";
    let Quota { per_second, burst, per_day } = quota;
    let changed = on!(database, |pool| {
        query(update)
            .bind(id.as_str())
            .bind(per_second.map(i64::from))
            .bind(burst.map(i64::from))
            .bind(per_day.map(i64::from))
            .execute(pool)
            .await?
            .rows_affected()
    });
    Ok(changed > 0)
}

/// Replaces the secret; false if there is no such project.
pub(crate) async fn set_secret_hash(database: &Database, id: &ProjectId, hash: &str) -> Result<bool, Error> {
    let update = "update project set secret_hash = $2 where id = $1";
    let changed = on!(database, |pool| query(update).bind(id.as_str()).bind(hash).execute(pool).await?.rows_affected());
    Ok(changed > 0)
}

/// Disables a project from a time on, in epoch milliseconds, or enables it; false if there is no such project.
pub(crate) async fn set_disabled_at(database: &Database, id: &ProjectId, at: Option<i64>) -> Result<bool, Error> {
    let update = "update project set disabled_at = $2 where id = $1";
    let changed = on!(database, |pool| query(update).bind(id.as_str()).bind(at).execute(pool).await?.rows_affected());
    Ok(changed > 0)
}

fn rules(entry: &Entry) -> Vec<(Kind, String)> {
    let origins = entry.origins.iter().map(|origin| (Kind::Origin, origin.to_string()));
    let methods = entry.methods.iter().map(|method| (Kind::Method, method.to_string()));
    let chains = entry.chains.iter().map(|chain| (Kind::Chain, chain.to_string()));
    origins.chain(methods).chain(chains).collect()
}

/// Fails if a rule cannot be read: leaving it out could allow what it was meant to restrict.
fn entry(row: Row, rules: Vec<(String, String)>) -> Result<Entry, Error> {
    let (id, name, created_at, disabled_at, per_second, burst, per_day, secret_hash) = row;
    let unreadable = |what: &str| Error::Decode(format!("couldn't read {what} of the project {id}").into());
    let number =
        |number: Option<i64>| number.map(|number| u32::try_from(number).map_err(|_| unreadable("a quota"))).transpose();
    let quota = Quota { per_second: number(per_second)?, burst: number(burst)?, per_day: number(per_day)? };
    let (mut origins, mut methods, mut chains) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, value) in rules {
        match kind.as_str() {
            "origin" => origins.push(Pattern::parse(&value).map_err(|_| unreadable("an origin"))?),
            "method" => methods.push(Method::parse(&value).map_err(|_| unreadable("a method"))?),
            "chain" => chains.push(value.parse().map_err(|_| unreadable("a chain"))?),
            _ => return Err(unreadable("a rule")),
        }
    }
    let parsed = ProjectId::parse(&id).ok_or_else(|| unreadable("an id"))?;
    Ok(Entry { id: parsed, name, created_at, disabled_at, quota, origins, methods, chains, secret_hash })
}
