const LINKED_ADDRESS = /^(tcp|udp|sctp):\/\//;

/**
 * Whether a variable such as X_PORT holds what Kubernetes puts there in each container where a Service is called "x": an address
 * (tcp://10.0.0.1:7832), no setting. https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
export function isLinkedAddress(value: string): boolean {
  return LINKED_ADDRESS.test(value);
}
