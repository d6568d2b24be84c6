/** A form as a browser sends it, for requests with files. */
export interface Part {
  field: string
  content: Buffer | string
  /** Makes it a file. */
  filename?: string
  type?: string
}

const BOUNDARY = 'limite-dos-testes'
export const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

export function multipart(...parts: Part[]): Buffer {
  return Buffer.concat([...parts.map(toBytes), Buffer.from(`--${BOUNDARY}--\r\n`)])
}

function toBytes({ field, content, filename, type = 'application/octet-stream' }: Part): Buffer {
  const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: ${type}`
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${file}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
}
