import { type SymptomRule } from '../symptom-rule.js';

/** Things that start, stop, change and get well. */
export const LIFECYCLE_SYMPTOMS: readonly SymptomRule[] = [
  {
    id: 'rollback',
    kind: 'recovery',
    weight: 0,
    pattern:
      /\b(?:rolled|rolling|roll) ?back\b[\w ]{0,30}\b(?:to|release|deploy\w*|version|v?\d)|\brollback (?:to|of|complete\w*|finished|started)\b|\breverted (?:the |to )|\bhotfix\b/i,
    title: 'Rollback',
    means: 'A change was taken back.',
    nextSteps: [],
  },
  {
    id: 'recovered',
    kind: 'recovery',
    weight: 0,
    pattern:
      /\brecovered\b|\bback to normal\b|\bback online\b|\breconnected\b|\bconnection (?:re-?established|restored)\b|\bis (?:now )?healthy\b|\bincident (?:resolved|mitigated)\b|\bservice restored\b|\bresumed normal\b|\bcircuit ?breaker\b[\w' ]{0,60}\bclosed\b/i,
    title: 'Recovery',
    means: 'Something worked again.',
    nextSteps: [],
  },
  {
    id: 'configuration-change',
    kind: 'change',
    weight: 34,
    pattern:
      /\b(?:since|after|following|due to|because of) (?:[\w.'’-]{1,30} ){0,3}config(?:uration)? (?:change|update)\b|\bconfig(?:uration)? (?:was |has been )?(?:changed|reloaded|updated|applied|pushed)\b|\b(?:re)?load(?:ed|ing) (?:the |new )?config(?:uration)?\b|\bfeature flag\b|\b(?:changed|updated|set) (?:the )?(?:setting|parameter|config\w*|limit|max_\w+)\b|\bapplied (?:new )?(?:config\w*|policy|manifest)\b|\bsecret (?:was )?rotated\b|\brotat(?:ed|ing) (?:the )?(?:secret|password|key|credentials)\b/i,
    title: 'Configuration change',
    means: 'A setting was changed.',
    nextSteps: ['Take the change back, at least in one place, and see whether the errors stop.'],
  },
  {
    id: 'deploy',
    kind: 'change',
    weight: 38,
    pattern:
      /\bdeploy(?:ed|ing)\b|\bdeploy(?:ment)? (?:of|started|finished|completed?|succeeded|to|v?\d)\b|\brelease[d]? v?\d|\bnew (?:version|release)\b|\broll(?:ed|ing) out\b|\brollout\b|\bScalingReplicaSet\b|\bScaled (?:up|down) replica set\b|\bupgrad(?:ed|ing) (?:to|from|\w+ to)\b|\bstarting (?:[\w-]{1,40} )?(?:application )?(?:version |v)\d|\brunning migrations?\b|\bapplying migration\b|\b(?:we|they) (?:have |had |just )?(?:deployed|released|upgraded|rolled out)\b|\b(?:since|after|following|due to|because of) (?:we|they|the|our|this|last|a|today['’]s|yesterday['’]s) (?:[\w.'’-]{1,30} ){0,2}(?:deploy(?:ment)?|release(?! of (?:the |a )?(?:lock|memory|connection))|released|roll-?out|upgraded?|updated|(?:software|system|app|version|library|last|latest|security) update)\b/i,
    title: 'Deployment',
    means: 'A new version went live.',
    nextSteps: ['Roll back to the version before, and see whether the errors stop; then compare the two versions.'],
  },
  {
    id: 'crash-loop',
    kind: 'effect',
    weight: 34,
    pattern:
      /\bCrashLoopBackOff\b|\bBack-off restarting failed container\b|\bstart request repeated too quickly\b|\bservice entered failed state\b|\bFailed with result\b|\bmain process exited, code=\w+\b|\bexited with code [1-9]\d{0,2}\b|\bnpm ERR! code ELIFECYCLE\b/i,
    title: 'A process keeps stopping',
    means: 'A process stopped with an error and was started again, perhaps many times.',
    nextSteps: ['Read the last lines before it stopped (`kubectl logs --previous`, `journalctl -u <unit>`).'],
  },
  {
    id: 'probe-failed',
    kind: 'effect',
    weight: 28,
    pattern:
      /\b(?:liveness|readiness|startup) probe (?:failed|errored)\b|\bhealth ?check (?:failed|failing|timed out)\b|\bUnhealthy\b|\bmarked (?:as )?(?:unhealthy|down)\b|\bprobe failed\b/i,
    title: 'Health check failed',
    means: 'A service did not answer its health check.',
    nextSteps: ['Look at what the service did at that moment; a failing check shows the trouble, it seldom is the trouble.'],
  },
  {
    id: 'slow',
    kind: 'effect',
    weight: 30,
    pattern:
      /\b(?:hangs?|hanging|unresponsive|not responding|stuck)\b|\b(?:very|too|extremely|unusually) slow\b|\b(?:is|are|was|were|became|gets?|got|getting|runs?|loads?) (?:\w{1,12} )?(?:slow|slower|slowly|sluggish)\b|\bslow (?:quer(?:y|ies)|requests?|responses?|log)\b|\bhigh latency\b|\blatency (?:spike|above|exceed\w*|increase\w*)\b/i,
    title: 'Slow or hanging',
    means: 'Something answered late or not at all.',
    nextSteps: ['Look at what was busy at that time: processor, memory, disk, locks, or a service behind it.'],
  },
  {
    id: 'backlog',
    kind: 'effect',
    weight: 26,
    pattern:
      /\b(?:consumer|replication|replica) lag\b|\blag (?:keeps |is )?(?:growing|increasing|rising)\b|\b(?:backlog|queue) (?:keeps |is )?(?:growing|increasing|rising|piling up)\b/i,
    title: 'Work piles up',
    means: 'More work comes in than is done.',
    nextSteps: ['Look whether the consumers run, what slows each of them down, and whether more is sent to them than usual.'],
  },
  {
    id: 'not-run',
    kind: 'effect',
    weight: 26,
    pattern:
      /\b(?:did not|didn['’]t|has not|hasn['’]t|was not|wasn['’]t) (?:run|start|started|executed|triggered)\b|\bmissed (?:its|the) schedule\b/i,
    title: 'Something did not run',
    means: 'Work that was due was not begun.',
    nextSteps: ['Look at the scheduler: was the work started at all, where did its output go, and when did it last succeed?'],
  },
  {
    id: 'login',
    kind: 'effect',
    weight: 26,
    pattern:
      /\b(?:can ?not|can['’]t|could not|couldn['’]t|unable to|not able to) (?:log|sign) ?in\b|\blog-?ins? (?:fails?|failed|is down)\b/i,
    title: 'People cannot log in',
    means: 'Signing in does not work.',
    nextSteps: ['Send the log of the service that signs people in, from shortly before this began.'],
  },
  {
    id: 'restart',
    kind: 'change',
    weight: 26,
    pattern:
      /\brestart(?:ed|ing)\b|\bSIGTERM\b|\bSIGKILL\b|\bshutting down\b|\bshutdown (?:initiated|requested)\b|\brequested shutdown\b|\breceived signal\b|\brebooting\b|\bsystem is going down\b|\bterminated by signal\b|\bKilling\b/i,
    title: 'Stop or restart',
    means: 'A process was stopped, perhaps to be started again.',
    nextSteps: ['Find out who or what asked for the restart, and whether the service was ready before it got traffic again.'],
  },
];
