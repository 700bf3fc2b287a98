import { type SymptomRule } from '../symptom-rule.js';

/** Something in code, configuration, data or access rules is wrong. */
export const SOFTWARE_SYMPTOMS: readonly SymptomRule[] = [
  {
    id: 'missing-schema',
    kind: 'cause',
    weight: 80,
    pattern:
      /\b(?:relation|column|table|function|type) "?[\w.]{1,80}"? (?:of relation "?[\w.]{1,80}"? )?does not exist\b|\bUnknown column\b|\bno such (?:table|column)\b|\bTable '[\w.]{1,80}' doesn't exist\b|\bundefined column\b|\bUndefinedColumn\b|\bmigration[\w ]{0,30} failed\b|\bpending migrations?\b/i,
    title: 'Database schema does not fit the code',
    means: 'The code asked for a table or column that the database does not have, as after a missing or failed migration.',
    nextSteps: [
      'Compare the migrations that have run with those the running version expects.',
      'Run the missing migration, or go back to the version that fits the schema.',
    ],
  },
  {
    id: 'deadlock',
    kind: 'cause',
    weight: 72,
    pattern:
      /\bdeadlock(?:s|ed)?\b|\block wait timeout\b|\bER_LOCK_DEADLOCK\b|\bcould not obtain lock\b|\block timeout\b|\bcanceling statement due to lock timeout\b/i,
    title: 'Deadlock or lock wait',
    means: 'Transactions waited for each other, and the database had to end some of them.',
    nextSteps: [
      'Take the two statements from the report of the database, and make all code lock rows in the same order.',
      'Keep transactions short, and retry those that the database ended.',
    ],
  },
  {
    id: 'read-only',
    kind: 'cause',
    weight: 70,
    pattern:
      /\bread-only (?:file ?system|transaction|replica|mode)\b|\bEROFS\b|\bREADONLY You can't write\b|\bremounting filesystem read-only\b|\bI\/O error, dev\b|\bcluster_block_exception\b/i,
    title: 'Storage is read-only',
    means: 'Writes were refused because the storage or database had become read-only.',
    nextSteps: ['Find out why it became read-only: a failed disk, a full disk, or a failover to a replica.'],
  },
  {
    id: 'permission-denied',
    kind: 'cause',
    weight: 70,
    pattern:
      /\bpermission denied\b|\bEACCES\b|\bEPERM\b|\baccess ?denied\b|\bAccessDenied\w*|\bnot authorized to\b|\boperation not permitted\b|\bPERMISSION_DENIED\b|\bforbidden: User\b|\bis forbidden\b|\binsufficient privileges?\b/i,
    title: 'Permission denied',
    means: 'A process was not allowed to do what it tried.',
    nextSteps: [
      'Compare owner, mode, role or policy with the account that was refused.',
      'Look for a recent change of rights, user or mount.',
    ],
  },
  {
    id: 'authentication',
    kind: 'cause',
    weight: 66,
    pattern:
      /\bauthentication fail(?:ed|ure)\b|\bpassword authentication failed\b|\binvalid (?:credentials|api key|client secret)\b|\b(?:token|jwt|session|secret) (?:has |is )?expired\b|\bTokenExpiredError\b|\binvalid_(?:grant|client|token)\b|\bSASL authentication\b|\bInvalidSignatureException\b|\bUNAUTHENTICATED\b|\bWRONGPASS\b|\bNOAUTH\b/i,
    title: 'Authentication failed',
    means: 'Credentials were wrong, missing or out of date.',
    nextSteps: ['Compare the credentials in use with the issued ones: has a password, key or token been rotated or run out?'],
  },
  {
    id: 'bad-configuration',
    kind: 'cause',
    weight: 78,
    pattern:
      /\b(?:missing|required|undefined) (?:required )?(?:environment variable|env var|config(?:uration)?(?: (?:key|value|property))?)\b|\binvalid (?:configuration|config|value for)\b|\bconfig(?:uration)? (?:error|is invalid)\b|\bcould not resolve placeholder\b|\bfailed to load config\w*|\bunknown (?:directive|configuration option)\b|\bCreateContainerConfigError\b|\b(?:configmap|secret) "[\w.-]{1,80}" not found\b|\bImproperlyConfigured\b|\bemerg\b[\w\s\]#:]{0,40}directive/i,
    title: 'Bad configuration',
    means: 'A setting was missing or wrong, so a process could not do its work.',
    nextSteps: ['Compare the configuration with the last that worked, and correct or revert it.'],
  },
  {
    id: 'image-pull',
    kind: 'cause',
    weight: 78,
    pattern:
      /\bErrImagePull\b|\bImagePullBackOff\b|\bfailed to pull image\b|\bmanifest (?:for [\w./:-]{1,160} )?(?:unknown|not found)\b|\bpull access denied\b|\bBack-off pulling image\b/i,
    title: 'Container image cannot be pulled',
    means: 'The image of a container could not be fetched: a wrong name or tag, missing rights, or an unreachable registry.',
    nextSteps: [
      'Look whether the image and tag exist in the registry, and whether the pull secret is valid.',
      'Go back to the last tag that worked while you find out.',
    ],
  },
  {
    id: 'null-reference',
    kind: 'cause',
    weight: 52,
    pattern:
      /\bNullPointerException\b|\bnil pointer dereference\b|\bcannot read propert(?:y|ies) (?:'?\w{1,80}'? )?of (?:undefined|null)\b|\b(?:undefined|null) is not (?:an object|a function)\b|\b'NoneType' object\b|\bassignment to entry in nil map\b|\bNullReferenceException\b|\bSIGSEGV\b|\bsegfault\b|\bsegmentation fault\b/i,
    title: 'Null value in code',
    means: 'Code used a value that was not there.',
    nextSteps: ['Read the code at the first application frame, and ask which input or change leaves the value empty.'],
  },
  {
    id: 'constraint',
    kind: 'cause',
    weight: 48,
    pattern:
      /\bviolates (?:unique|foreign key|not-null|check) constraint\b|\bduplicate key\b|\bduplicate entry\b|\bConstraintViolationException\b|\bDataIntegrityViolationException\b|\bUNIQUE constraint failed\b|\bIntegrityError\b/i,
    title: 'Data breaks a database rule',
    means: 'The database refused data that break one of its rules.',
    nextSteps: ['Look at the row that was refused: is it sent twice, out of order, or made by changed code?'],
  },
  {
    id: 'wrong-type',
    kind: 'cause',
    weight: 46,
    pattern:
      /\bClassCastException\b|\bNoSuchMethodError\b|\bNoClassDefFoundError\b|\bClassNotFoundException\b|\bModuleNotFoundError\b|\bERR_MODULE_NOT_FOUND\b|\bCannot find module\b|\bImportError\b|\bUnsupportedClassVersionError\b/i,
    title: 'Code does not fit its libraries',
    means: 'A class, method or module was not there or not the expected one, as after an incomplete build or a changed dependency.',
    nextSteps: ['Compare the dependencies of the running build with those of the last one that worked.'],
  },
];
