/** The ID of the only owner, which is the same as on MinIO. */
export const OWNER_ID = '02d6176db174dc93cb1b899f7c6078f08654445fe8cf1b6ce98d8855f66bdbf4'
const PERSON = `<ID>${OWNER_ID}</ID><DisplayName>stowage</DisplayName>`
export const OWNER_ELEMENT = `<Owner>${PERSON}</Owner>`
export const INITIATOR_ELEMENT = `<Initiator>${PERSON}</Initiator>`
