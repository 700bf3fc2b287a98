import { type TaskJson } from '../support/clients/wire-json.js';
import { type Host } from '../support/host.js';

/** The page of an approval, as a person's browser sees it. */
export class ApprovalPage {
  private constructor(
    readonly url: string,
    private readonly token: string,
  ) {}

  /** Opens the link in a task's status message, on this host whatever its port was then. */
  static async open(host: Host, task: TaskJson): Promise<ApprovalPage> {
    const said = task.status.message?.parts.map(({ text }) => text ?? '').join('\n') ?? '';
    const url = `${host.httpUrl}${/\/approvals\/\S+/.exec(said)?.[0] ?? ''}`;
    const page = await (await fetch(url)).text();
    return new ApprovalPage(url, /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '');
  }

  /** Presses a button. @returns the HTTP status */
  async press(decision: 'approve' | 'decline'): Promise<number> {
    return (await fetch(this.url, { method: 'POST', body: new URLSearchParams({ decision, token: this.token }) })).status;
  }
}
