/** Lines of the input, both ends included, counted from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}
