import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { FieldBehavior, field_behavior } from '../gen/google/api/field_behavior_pb.js';

const cache = new WeakMap<DescField, boolean>();

/** The proto marks this member REQUIRED. */
export function isRequired(field: DescField): boolean {
  const known = cache.get(field);
  if (known !== undefined) return known;
  const required = hasOption(field, field_behavior) && getOption(field, field_behavior).includes(FieldBehavior.REQUIRED);
  cache.set(field, required);
  return required;
}
