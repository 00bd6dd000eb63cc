/** Who did something, and in which project: "planner · web-shop". @param {{ agent_id: string, project?: string }} record */
export function whoseText({ agent_id, project }) {
  return project === undefined ? agent_id : `${agent_id} · ${project}`;
}
