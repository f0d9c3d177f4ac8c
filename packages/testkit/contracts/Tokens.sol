// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721, ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// ERC-20 without value: anyone may mint it.
contract TestToken is ERC20 {
    uint8 private immutable places;

    constructor(string memory name, string memory symbol, uint8 decimals_) ERC20(name, symbol) {
        places = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return places;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

/// Spam token: its transfers are in the logs, but `balanceOf` reverts.
contract RevertingToken {
    string public constant name = "Reverting";
    string public constant symbol = "RVRT";
    uint8 public constant decimals = 18;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 amount) external {
        emit Transfer(address(0), to, amount);
    }

    function balanceOf(address) external pure returns (uint256) {
        revert("no balance for you");
    }
}

/// Spam token with the symbol of another token, markup and a link in its name, and 255 decimals.
contract LyingToken is ERC20 {
    constructor() ERC20(unicode"<img src=x onerror=alert(1)> claim at evil.example \u202E", "USDC") {}

    function decimals() public pure override returns (uint8) {
        return 255;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function balanceOf(address) public pure override returns (uint256) {
        return type(uint256).max;
    }
}

/// ERC-20 that keeps 5 % of every transfer.
contract TaxedToken is ERC20("Taxed", "TAX") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        uint256 tax = from == address(0) || to == address(0) ? 0 : amount / 20;
        super._update(from, to, amount - tax);
        if (tax > 0) super._update(from, address(0), tax);
    }
}

/// ERC-20 that anyone may hold but only its deployer can transfer: it has a price and cannot be sold.
contract StuckToken is ERC20("Stuck", "STUCK") {
    address private immutable maker = msg.sender;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(from == address(0) || from == maker, "stuck");
        super._update(from, to, amount);
    }
}

/// ERC-721 with metadata stored per token.
contract Pictures is ERC721URIStorage {
    constructor() ERC721("Portico Pictures", "PICT") {}

    function mint(address to, uint256 id, string calldata uri) external {
        _mint(to, id);
        _setTokenURI(id, uri);
    }
}

/// ERC-1155 with a metadata URI for each token id that got one, and a common one for all others.
contract Badges is ERC1155 {
    mapping(uint256 => string) private uris;

    constructor(string memory common) ERC1155(common) {}

    function uri(uint256 id) public view override returns (string memory) {
        return bytes(uris[id]).length > 0 ? uris[id] : super.uri(id);
    }

    function setUri(uint256 id, string calldata own) external {
        uris[id] = own;
    }

    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}
