import { PEER, type SymptomRule } from '../symptom-rule.js';

/** Something could not be reached or trusted. */
export const NETWORK_SYMPTOMS: readonly SymptomRule[] = [
  {
    id: 'certificate',
    kind: 'cause',
    weight: 84,
    pattern:
      /\bcertificate (?:has |is )?(?:expired|not yet valid|revoked)\b|\bcertificate verify failed\b|\bCERT_HAS_EXPIRED\b|\bUNABLE_TO_VERIFY_LEAF_SIGNATURE\b|\bSELF_SIGNED_CERT\w*|\bself[- ]signed certificate\b|\bx509: |\bSSLHandshakeException\b|\bPKIX path\b|\bCertificateExpiredException\b|\bCertPathValidatorException\b|\bunknown authority\b|\bERR_TLS_CERT_ALTNAME_INVALID\b/i,
    title: 'TLS certificate not accepted',
    means: 'A certificate was expired or not trusted, so secure connections were refused.',
    nextSteps: [
      'Look at the certificate that is served (`openssl s_client -connect host:443 -servername host </dev/null | openssl x509 -noout -dates -subject -issuer`).',
      'Renew it or correct the chain, reload the server, and find out why the renewal did not happen by itself.',
    ],
  },
  {
    id: 'dns',
    kind: 'cause',
    weight: 80,
    pattern:
      /\bENOTFOUND\b|\bEAI_AGAIN\b|\bUnknownHostException\b|\bno such host\b|\bname resolution\b|\bname or service not known\b|\bcould not resolve\b|\bcould not translate host name\b|\bNXDOMAIN\b|\bSERVFAIL\b|\bhost not found\b|\bgaierror\b|\bDNS (?:lookup|resolution|query)[\w ]{0,20} (?:failed|timed out)\b|\bFailed to resolve\b/i,
    subject: /(?:ENOTFOUND|EAI_AGAIN|UnknownHostException:|lookup|resolve host:?|resolve|host name|resolving)\s["']?([\w][\w.-]{1,200})/,
    title: 'Name not resolved',
    means: 'The name of another service could not be turned into an address.',
    nextSteps: [
      'Resolve the name from the same host or pod (`getent hosts <name>`, `nslookup <name>`).',
      'Look at the resolver (`/etc/resolv.conf`, CoreDNS) and for a changed or missing record or service.',
    ],
  },
  {
    id: 'connection-refused',
    kind: 'cause',
    weight: 54,
    pattern:
      /\bECONNREFUSED\b|\bconnection refused\b|\bconnection to [\w.:-]{1,100} (?:was |is )?refused\b|\bconnect: refused\b|\bactively refused\b/i,
    subject: new RegExp(`${PEER.source}|[Cc]onnection to ([\\w.:-]{1,100}) (?:was |is )?refused`),
    title: 'Connection refused',
    means: 'Nothing listened at the other end: the service was down, still starting, or at another address.',
    nextSteps: [
      'Look whether the other service runs and listens on that address and port, and at its own log just before this.',
      'When it is up, compare the configured address with the real one.',
    ],
  },
  {
    id: 'unreachable',
    kind: 'cause',
    weight: 58,
    pattern:
      /\bno route to host\b|\bnetwork is unreachable\b|\bEHOSTUNREACH\b|\bENETUNREACH\b|\bNoRouteToHostException\b|\bhost is down\b|\bNIC Link is Down\b/i,
    subject: PEER,
    title: 'Network unreachable',
    means: 'No way through the network led to the other side.',
    nextSteps: ['Look for changed routes, firewalls, security groups or network policies between the two.'],
  },
  {
    id: 'timeout',
    kind: 'effect',
    weight: 44,
    pattern:
      /\btimed[ -]?out\b|\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b|\btimeout (?:exceeded|expired|of \d|after|while|waiting)|\bTimeoutE(?:rror|xception)\b|\bSocketTimeoutException\b|\bdeadline exceeded\b|\bDEADLINE_EXCEEDED\b|\brequest timeout\b|\btime out\b|\btimeouts?\b|\bReadTimeout\w*|\bConnectTimeout\w*/i,
    subject: PEER,
    title: 'Timeouts',
    means: 'An answer did not come in time.',
    nextSteps: [
      'Look at how busy the other side was at that time: saturation, locks, garbage collection, slow queries.',
      'Follow one slow request through the services by its id.',
    ],
  },
  {
    id: 'connection-lost',
    kind: 'effect',
    weight: 38,
    pattern:
      /\bECONNRESET\b|\bconnection reset\b|\bbroken pipe\b|\bEPIPE\b|\bsocket hang up\b|\bprematurely closed connection\b|\bserver closed the connection\b|\bconnection (?:was )?(?:closed|lost|aborted|terminated)\b|\bunexpected EOF\b|\bLost connection\b|\bterminating connection\b/i,
    subject: PEER,
    title: 'Connection lost',
    means: 'The other side ended a connection in the middle of the work, often because it stopped or crashed.',
    nextSteps: ['Look at the log of the other side for a crash or restart at the same moment.'],
  },
  {
    id: 'no-upstream',
    kind: 'effect',
    weight: 26,
    pattern:
      /\bno live upstreams\b|\bBad Gateway\b|\bService (?:Temporarily )?Unavailable\b|\bGateway Time-?out\b|\bupstream connect error\b|\bno healthy upstream\b|\bcircuit ?breaker\b[\w' ]{0,60}\bopen\b|\bCallNotPermittedException\b|\bno endpoints available\b/i,
    title: 'Upstream not available',
    means: 'A gateway or client gave up on a service behind it.',
    nextSteps: ['Look at the service behind it; this is what callers see, seldom where the trouble began.'],
  },
];
