/** Storage of parts, numbered from 0. */
export interface Pieces {
  put(key: PieceKey, bytes: Buffer): Promise<void>;
  /** @throws AppError `not_found`, `unavailable` */
  get(key: PieceKey): Promise<Buffer>;
  /** All pieces of a file; also those that are not there. */
  remove(projectId: number, blob: number, count: number): Promise<void>;
}

export interface PieceKey {
  projectId: number;
  blob: number;
  number: number;
}
