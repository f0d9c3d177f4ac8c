//! Sentences for the operator about a database that can't be used.

use crate::config::DatabasePlace;
use crate::user::{name_of, this_user};
use sqlx::postgres::PgConnectOptions;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Lowest byte of SQLite's extended error codes.
const PRIMARY: u32 = 0xff;

/// Sentence about a database file that cannot be used, with the remedy; `None` for an error that says nothing about the file.
pub(super) fn of_file(file: &Path, error: &sqlx::Error) -> Option<String> {
    let code: u32 = error.as_database_error()?.code()?.parse().ok()?;
    let name = file.display();
    match code & PRIMARY {
        // SQLITE_BUSY, SQLITE_LOCKED
        5 | 6 => Some(format!(
            "Another program has locked {name}. Try again. If it goes on, see who has it open with `fuser {name}`."
        )),
        // SQLITE_READONLY
        8 => Some(format!(
            "This user ({}) can't write to {name} or its folder. Change their owner or permissions.",
            this_user()
        )),
        // SQLITE_CANTOPEN
        14 => Some(closed(file)),
        // SQLITE_NOTADB
        26 => Some(format!("{name} isn't an SQLite database. Name another file in `database`.")),
        _ => None,
    }
}

/// Sentence about a PostgreSQL server that refuses, with the remedy; `None` for other errors.
pub(super) fn of_server(options: &PgConnectOptions, error: &sqlx::Error) -> Option<String> {
    let (user, host) = (options.get_username(), options.get_host());
    // Without a name it is the database of the user's name.
    let base = options.get_database().unwrap_or(user);
    match error {
        sqlx::Error::Io(error) => error
            .to_string()
            .starts_with(LOOKUP)
            .then(|| format!("The name {host} can't be found. Check it in `database`, and this machine's DNS.")),
        sqlx::Error::Tls(error) => {
            Some(format!("TLS to {host} failed ({error}). Check its certificate, and `sslmode` in `database`."))
        }
        error => {
            let place = DatabasePlace::Postgres(Box::new(options.clone()));
            refusal(&error.as_database_error()?.code()?, &place, base, user, host)
        }
    }
}

/// Beginning of the standard library's error about a host name.
const LOOKUP: &str = "failed to lookup address";

/// Port of PostgreSQL, which its tools take without being told.
const USUAL_PORT: u16 = 5432;

/// Sentence about a PostgreSQL error code that a wrong setting causes.
fn refusal(code: &str, place: &DatabasePlace, base: &str, user: &str, host: &str) -> Option<String> {
    match code {
        // invalid_password
        "28P01" => Some(format!(
            "The database {place} refuses the user {user}: wrong name or password. Correct it in `database`."
        )),
        // invalid_authorization_specification
        "28000" => Some(format!(
            "The database {place} refuses the user {user} from this machine. Check the user in `database`, and pg_hba.conf on {host}."
        )),
        // invalid_catalog_name
        "3D000" => {
            let port = match place {
                DatabasePlace::Postgres(options) if options.get_port() != USUAL_PORT => {
                    format!("--port {} ", options.get_port())
                }
                _ => String::new(),
            };
            Some(format!(
                "There is no database {base} on {host}. Create it with `createdb {port}--owner {user} {base}`."
            ))
        }
        // insufficient_privilege
        "42501" => Some(format!(
            "The user {user} can't create tables in the database {place}. Make it the owner with `alter database {base} owner to {user}`."
        )),
        // too_many_connections
        "53300" => Some(format!("The database {place} has no connection left. Raise max_connections of PostgreSQL.")),
        _ => None,
    }
}

pub(super) fn closed(file: &Path) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place = if file.exists() { file } else { folder };
    let user = this_user();
    match std::fs::metadata(place).map(|place| name_of(place.uid())) {
        Ok(owner) if owner != user => owned(file, place, &owner, &user),
        _ if !file.exists() => {
            format!("This user ({user}) can't create {}. Change the permissions of its folder.", file.display())
        }
        _ => {
            format!("This user ({user}) can't open {}. Change its permissions, or those of its folder.", file.display())
        }
    }
}

/// Sentence about a file that this user can't open, or a folder in which this user can't create it: `place` belongs to another user.
fn owned(file: &Path, place: &Path, owner: &str, user: &str) -> String {
    // A lone dot is no name of a folder.
    let full = std::fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
    let (verb, place) = if place == file { ("open", place.display()) } else { ("create", full.display()) };
    format!(
        "This user ({user}) can't {verb} {}: {place} belongs to {owner}. Change its owner with `chown {user} {place}`.",
        file.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::{Database, Schema};
    use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

    #[test]
    fn a_folder_of_another_user_has_its_whole_name_and_the_file_is_created_there() {
        let here = std::env::current_dir().unwrap();
        let told = owned(Path::new("portico.sqlite"), Path::new("."), "root", "nobody");
        let next = format!("Change its owner with `chown nobody {}`.", here.display());
        let cause = format!("can't create portico.sqlite: {} belongs to root", here.display());
        assert_eq!(told, format!("This user (nobody) {cause}. {next}"));
        let file = Path::new("portico.sqlite");
        let told = owned(file, file, "root", "nobody");
        let next = "Change its owner with `chown nobody portico.sqlite`.";
        assert_eq!(
            told,
            format!("This user (nobody) can't open portico.sqlite: portico.sqlite belongs to root. {next}")
        );
    }

    #[tokio::test]
    async fn a_file_that_is_no_database_and_one_that_is_locked_are_told_in_sentences() {
        let folder = tempfile::tempdir().unwrap();
        let junk = folder.path().join("junk.sqlite");
        std::fs::write(&junk, [7; 4096]).unwrap();
        let place = DatabasePlace::Sqlite(junk.clone());
        let told = format!("{} isn't an SQLite database. Name another file in `database`.", junk.display());
        assert_eq!(Database::open(&place).await.err().unwrap().to_string(), told);
        assert_eq!(Database::usable(&place, Schema::Server).await.unwrap_err().to_string(), told);
        assert_eq!(std::fs::read(&junk).unwrap(), [7; 4096]);

        let file = folder.path().join("portico.sqlite");
        let place = DatabasePlace::Sqlite(file.clone());
        let server = Database::open(&place).await.unwrap();
        server.migrate().await.unwrap();
        // Beside a server that has it open.
        Database::usable(&place, Schema::Server).await.unwrap();
        server.close().await;
        Database::usable(&place, Schema::Server).await.unwrap();
        let names = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 2, "the look left a file");
        let options = SqliteConnectOptions::new().filename(&file);
        let other = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
        let mut holder = other.acquire().await.unwrap();
        sqlx::query("begin exclusive").execute(&mut *holder).await.unwrap();
        let told = Database::usable(&place, Schema::Server).await.unwrap_err().to_string();
        assert!(told.starts_with(&format!("Another program has locked {}. Try again.", file.display())), "{told}");
        sqlx::query("commit").execute(&mut *holder).await.unwrap();
        let newer = "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
                     values (999, 'x', 1, x'00', 0)";
        sqlx::query(newer).execute(&mut *holder).await.unwrap();
        let told = Database::usable(&place, Schema::Server).await.unwrap_err().to_string();
        assert_eq!(told, "A newer portico wrote this database (migration 999). Run that version.");
    }

    #[test]
    fn a_server_that_refuses_is_told_with_what_to_do() {
        let options: PgConnectOptions = "postgres://ada@127.0.0.1/shop".parse().unwrap();
        let place = DatabasePlace::Postgres(Box::new(options));
        let told = |code| refusal(code, &place, "shop", "ada", "127.0.0.1");
        assert_eq!(
            told("28P01").unwrap(),
            "The database shop on 127.0.0.1 refuses the user ada: wrong name or password. Correct it in `database`."
        );
        assert_eq!(
            told("3D000").unwrap(),
            "There is no database shop on 127.0.0.1. Create it with `createdb --owner ada shop`."
        );
        let options: PgConnectOptions = "postgres://ada@127.0.0.1:5433/shop".parse().unwrap();
        let other = refusal("3D000", &DatabasePlace::Postgres(Box::new(options)), "shop", "ada", "127.0.0.1").unwrap();
        assert!(other.ends_with("Create it with `createdb --port 5433 --owner ada shop`."), "{other}");
        assert!(told("42501").unwrap().ends_with("Make it the owner with `alter database shop owner to ada`."));
        assert_eq!(told("42601"), None);
    }

    #[tokio::test]
    async fn a_host_name_that_is_not_found_is_told() {
        // The part is longer than DNS allows, so no name server is asked.
        let host = format!("{}.invalid", "x".repeat(64));
        let place = DatabasePlace::Postgres(Box::new(format!("postgres://ada@{host}/shop").parse().unwrap()));
        let told = Database::open(&place).await.err().unwrap().to_string();
        let expected = format!("The name {host} can't be found. Check it in `database`, and this machine's DNS.");
        assert_eq!(told, expected);
    }
}
