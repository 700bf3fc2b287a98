import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { A2aLogger } from '../logging.js';
import { type AuditEvent, type AuditRecord, AuditTrail } from './audit-trail.js';
import { ownerDigest } from './owner-digest.js';

/** Ids come from callers, of any length. */
const LONGEST_ID = 256;

/** A record on its way to the trail; `owner` is the key itself here. */
export type AuditFacts = Omit<AuditRecord, 'atMs' | 'event'>;

/** The one way to the audit trail: adds the time, hides the owner, and lets nothing that goes wrong there stop a call. */
@Injectable()
export class Audit {
  constructor(
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
    private readonly logger: A2aLogger,
  ) {}

  note(event: AuditEvent, { owner, taskId, contextId, tenant, ...facts }: AuditFacts): void {
    const record: AuditRecord = {
      atMs: this.clock.now(),
      event,
      ...facts,
      tenant: cut(tenant),
      owner: owner === undefined ? undefined : ownerDigest(owner),
      taskId: cut(taskId),
      contextId: cut(contextId),
    };
    try {
      this.trail.record(record);
    } catch (error) {
      this.logger.error('The audit trail took no record', { event, outcome: record.outcome, error });
    }
  }
}

function cut(id: string | undefined): string | undefined {
  return id === undefined || id === '' ? undefined : id.slice(0, LONGEST_ID);
}
