/** Who waits, the first in line first. */
export class Line {
  // No set: its tables refer to those after them, and what once became old would keep all later ones from being collected.
  readonly #places: Place[] = []

  enter(): Place {
    const place = { since: performance.now(), left: false }
    this.#places.push(place)
    return place
  }

  /** In any order, mostly that of their coming. */
  leave(place: Place): void {
    place.left = true
    while (this.#places[0]?.left) this.#places.shift()
  }

  /** How long the first has been waiting; 0 where nobody is. */
  waitedMs(): number {
    const [first] = this.#places
    return first === undefined ? 0 : performance.now() - first.since
  }
}

export interface Place {
  /** By `performance.now()`. */
  since: number
  left: boolean
}
