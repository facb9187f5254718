/** Which rule a value breaks; `bound` of the issue is that rule's number, list or pattern. */
export type ParameterRule =
  | 'required'
  | 'unknown'
  | 'type'
  | 'integer'
  | 'min'
  | 'max'
  | 'minItems'
  | 'maxItems'
  | 'minLength'
  | 'maxLength'
  | 'oneOf'
  | 'pattern'
  /** The model (`actual`) is not among those known to take this parameter. */
  | 'modelSupport';

/** One parameter out of its bounds, as data: whoever shows it words it. */
export interface ParameterIssue {
  /** As on the wire, with the way into it: `top_p`, `messages[2].role`, `metadata.name`. */
  readonly parameter: string;
  readonly rule: ParameterRule;
  readonly bound?: number | string | readonly string[] | undefined;
  /** The value, or the count or length that breaks the rule. */
  readonly actual?: number | string | undefined;
}

/** The service may refuse it, or may not: the specification and practice differ. It is sent all the same. */
export type ParameterWarning = ParameterIssue;
