import { Injectable } from '@nestjs/common';
import { A2aLogger } from '../logging.js';
import { type AuditRecord, AuditTrail } from './audit-trail.js';

/**
 * Writes records as lines of the log: message `Audit`, `audit: true`, and the members of the record that are there.
 *
 * `ok` is written as info, everything else as a warning: a log that leaves these levels out leaves the trail out with them.
 */
@Injectable()
export class LoggedAuditTrail extends AuditTrail {
  constructor(private readonly logger: A2aLogger) {
    super();
  }

  record({ atMs, ...record }: AuditRecord): void {
    const members = Object.entries(record).filter(([, value]) => value !== undefined);
    const facts = { audit: true, at: new Date(atMs).toISOString(), ...Object.fromEntries(members) };
    if (record.outcome === 'ok') this.logger.info('Audit', facts);
    else this.logger.warn('Audit', facts);
  }
}
