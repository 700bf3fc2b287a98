import { describeClaims } from './push-config-repository/claims.contract.js';
import { describeConfigs } from './push-config-repository/configs.contract.js';
import { describeOperators } from './push-config-repository/operators.contract.js';
import { type PushStore, WebhooksOfATask } from './push-config-repository/webhooks-of-a-task.js';
import { describeWork } from './push-config-repository/work.contract.js';

/**
 * What every PushConfigRepository promises. A new store calls this from a spec of its own.
 *
 * @param make gives both repositories of one store, opened for the whole suite
 */
export function pushConfigRepositoryContract(name: string, make: () => Promise<PushStore>): void {
  describe(`${name} as a PushConfigRepository`, () => {
    let store: PushStore;
    const given = new WebhooksOfATask(() => store);
    beforeAll(async () => {
      store = await make();
    });
    beforeEach(() => given.renew());

    describeConfigs(given);
    describeClaims(given);
    describeWork(given);
    describeOperators(given);
  });
}
