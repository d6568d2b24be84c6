/** Eleven digits, with or without punctuation, whose last two are check digits (modulus 11). */
export function normaliseCpf(text: string): string | null {
  if (!/^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/.test(text)) return null
  const digits = text.replaceAll(/\D/g, '')
  if (/^(\d)\1{10}$/.test(digits)) return null
  const valid = checkDigit(digits, 9) === digits[9] && checkDigit(digits, 10) === digits[10]
  return valid ? digits : null
}

function checkDigit(digits: string, length: number): string {
  let sum = 0
  for (let i = 0; i < length; i++) sum += Number(digits[i]) * (length + 1 - i)
  const rest = (sum * 10) % 11
  return String(rest === 10 ? 0 : rest)
}

/** A CPF is kept as digits and asked for in either form. */
export const cpfDigits = (text: string) => text.replaceAll(/[.-]/g, '')
