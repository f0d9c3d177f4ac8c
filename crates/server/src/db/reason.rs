//! Sentences for the operator about an SQLite file that can't be used.

use crate::user::{name_of, this_user};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Lowest byte of SQLite's extended error codes.
const PRIMARY: u32 = 0xff;

/// Sentence about a database file that cannot be used, with the remedy; `None` for an error that says nothing about the file.
pub(super) fn reason(file: &Path, error: &sqlx::Error) -> Option<String> {
    let code: u32 = error.as_database_error()?.code()?.parse().ok()?;
    let name = file.display();
    match code & PRIMARY {
        // SQLITE_BUSY, SQLITE_LOCKED
        5 | 6 => Some(format!(
            "Another program has locked {name}. Try again. If it goes on, see who has it open: fuser {name}"
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

fn closed(file: &Path) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place = if file.exists() { file } else { folder };
    let user = this_user();
    match std::fs::metadata(place).map(|place| name_of(place.uid())) {
        Ok(owner) if owner != user => {
            let place = place.display();
            format!(
                "This user ({user}) can't open {}: {place} belongs to {owner}. Change its owner: chown {user} {place}",
                file.display()
            )
        }
        _ => {
            format!("This user ({user}) can't open {}. Change its permissions, or those of its folder.", file.display())
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::DatabasePlace;
    use crate::db::{Database, Schema};
    use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

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
}
