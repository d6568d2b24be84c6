/** Values that a receiver asks for of each property that events have. */
export interface WantedProperties {
  tipos_agravo: readonly string[]
  estados: readonly string[]
  municipios: readonly number[]
  niveis: readonly string[]
  suspeitas: readonly string[]
}

type ActualProperties = { [K in keyof WantedProperties]: WantedProperties[K] | null }

/** The filter of the feed's statement, for events in memory. */
export function passesFilter(wanted: WantedProperties, actual: ActualProperties): boolean {
  return (
    passes(wanted.tipos_agravo, actual.tipos_agravo) &&
    passes(wanted.estados, actual.estados) &&
    passes(wanted.municipios, actual.municipios) &&
    passes(wanted.niveis, actual.niveis) &&
    passes(wanted.suspeitas, actual.suspeitas)
  )
}

/** An empty filter matches every event, and every filter an event that is not about a case. */
function passes<T>(wanted: readonly T[], actual: readonly T[] | null): boolean {
  return wanted.length === 0 || actual === null || actual.some((value) => wanted.includes(value))
}
