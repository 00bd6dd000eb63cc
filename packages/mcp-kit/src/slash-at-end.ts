import type { RequestHandler } from 'express';

export const MCP_PATH = '/mcp';

/**
 * Takes `/mcp/` for `/mcp`; to be mounted before the contract is looked at. The examples of several libraries end their addresses
 * with a slash, and all that some of them show of a 404 is "Session terminated".
 */
export const slashAtEnd: RequestHandler = (req, _res, next) => {
  if (req.path === `${MCP_PATH}/`) {
    req.url = MCP_PATH + req.url.slice(MCP_PATH.length + 1);
    req.originalUrl = req.url;
  }
  next();
};
