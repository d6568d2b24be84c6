// Prints the rows of a statement as JSON: `node duckdb-reader.ts <statement>`.
import { DuckDBInstance } from '@duckdb/node-api'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
const reader = await connection.runAndReadAll(process.argv[2] as string)
console.log(JSON.stringify(reader.getRowObjectsJson()))
connection.closeSync()
instance.closeSync()
