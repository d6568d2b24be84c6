let eu = 0

/**
 * Number of the account that is signed in. Addresses say `eu` instead, so that a view which is shared with a group shows each of its
 * members their own cases.
 */
export const euId = () => String(eu)

export function setEu(id: number): void {
  eu = id
}
