/** The rule a value breaks; the issue's `bound` is that rule's number, list or pattern. */
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
  /** The model (`actual`) is not among those known to support this parameter. */
  | 'modelSupport';

/** One parameter outside its bounds, as data for the message in the user interface. */
export interface ParameterIssue {
  /** The path of the parameter as on the wire: `top_p`, `messages[2].role`, `metadata.name`. */
  readonly parameter: string;
  readonly rule: ParameterRule;
  readonly bound?: number | string | readonly string[] | undefined;
  /** The value itself, or the count or length that breaks the rule. */
  readonly actual?: number | string | undefined;
}

/** A value the service may reject, because the specification and practice differ. The request is sent nevertheless. */
export type ParameterWarning = ParameterIssue;
